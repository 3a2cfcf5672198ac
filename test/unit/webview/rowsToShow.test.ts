import assert from 'node:assert/strict';
import { entryPart, CHIPS, CONTEXT_USED, NEXT_REQUEST, RowsToShow } from '../../../webview/chat/entries/rowsToShow.js';
import { assistantEntry, EMPTY_PANEL, userEntry } from '../../../webview/preview/views.js';

describe('What is open', () => {
  const state = { ...EMPTY_PANEL, entries: [userEntry('u', 'Hi'), assistantEntry('a'), assistantEntry('b')] };
  const withOpen = (...names: string[]): RowsToShow => {
    const rows = new RowsToShow();
    rows.start({ getState: () => ({ open: names }), setState: () => undefined }, () => undefined);
    return rows;
  };
  const message = (chips: boolean, nextRequest: boolean, ...contextUsed: string[]) =>
    ({ type: 'showRows', chips, nextRequest, contextUsed, manager: null }) as const;

  it('is told of what is on show, and of nothing else', () => {
    const rows = withOpen(
      NEXT_REQUEST,
      CHIPS,
      ...['u', 'b', 'elsewhere'].map((id) => entryPart(id, CONTEXT_USED)),
      entryPart('a', 'reasoning-0'),
    );
    assert.deepEqual(rows.nextMessage(state, true), message(true, true, 'b'));
  });

  it('is told after each snapshot, and whenever it is something else', () => {
    const rows = withOpen();
    assert.deepEqual(rows.nextMessage(state, true), message(false, false));
    assert.equal(rows.nextMessage(state, false), null);
    assert.deepEqual(rows.nextMessage(state, true), message(false, false));
    rows.disclosures.toggle(entryPart('a', CONTEXT_USED));
    assert.deepEqual(rows.nextMessage(state, false), message(false, false, 'a'));
    assert.equal(rows.nextMessage(state, false), null);
    assert.deepEqual(rows.nextMessage({ ...state, entries: [] }, false), message(false, false));
  });
});
