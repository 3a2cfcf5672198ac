import assert from 'node:assert/strict';
import { entryPart, CHIPS, CONTEXT_USED, NEXT_REQUEST, RowsToShow } from '../../../webview/chat/entries/rowsToShow.js';
import { Disclosures } from '../../../webview/shared/controls/disclosures.js';
import { assistantEntry, EMPTY_PANEL, userEntry } from '../../../webview/preview/views.js';

describe('What is open', () => {
  const state = { ...EMPTY_PANEL, entries: [userEntry('u', 'Hi'), assistantEntry('a'), assistantEntry('b')] };
  const open = (...names: string[]): Disclosures => new Disclosures({ open: names }, () => undefined);
  const message = (chips: boolean, nextRequest: boolean, ...contextUsed: string[]) =>
    ({ type: 'showRows', chips, nextRequest, contextUsed, manager: null }) as const;

  it('is told of what is on show, and of nothing else', () => {
    const all = open(
      NEXT_REQUEST,
      CHIPS,
      ...['u', 'b', 'elsewhere'].map((id) => entryPart(id, CONTEXT_USED)),
      entryPart('a', 'reasoning-0'),
    );
    assert.deepEqual(new RowsToShow().nextMessage(state, all, true), message(true, true, 'b'));
  });

  it('is told after each snapshot, and whenever it is something else', () => {
    const rows = new RowsToShow();
    const disclosures = open();
    assert.deepEqual(rows.nextMessage(state, disclosures, true), message(false, false));
    assert.equal(rows.nextMessage(state, disclosures, false), null);
    assert.deepEqual(rows.nextMessage(state, disclosures, true), message(false, false));
    disclosures.toggle(entryPart('a', CONTEXT_USED));
    assert.deepEqual(rows.nextMessage(state, disclosures, false), message(false, false, 'a'));
    assert.equal(rows.nextMessage(state, disclosures, false), null);
    assert.deepEqual(rows.nextMessage({ ...state, entries: [] }, disclosures, false), message(false, false));
  });
});
