import assert from 'node:assert/strict';
import { PANEL_STATE, type PanelDelta, type PanelState } from '../../../src/protocol/panel/state.js';
import type { EntryChanges } from '../../../src/protocol/panel/entryChanges.js';
import type { EntryView } from '../../../src/protocol/panel/entries.js';
import { copyOf } from '../../support/engine/panelStates.js';
import { assistantEntry, EMPTY_PANEL, text, userEntry, toolCall } from '../../../webview/preview/views.js';

function panel(...entries: EntryView[]): PanelState {
  return { ...EMPTY_PANEL, entries };
}

function delta(changes: Partial<EntryChanges>): PanelDelta {
  return { entries: { order: null, put: [], append: [], ...changes } };
}

describe('the difference between two states of the panel', () => {
  it('is null between equal states, whether or not they are the same objects', () => {
    const state = panel(userEntry('1', 'Hi'), assistantEntry('2', text('Yes')));
    assert.equal(PANEL_STATE.diff(state, state), null);
    assert.equal(PANEL_STATE.diff(state, copyOf(state)), null);
  });

  it('holds the members that changed, whole', () => {
    const draft = { ...EMPTY_PANEL.draft, text: 'Hi' };
    assert.deepEqual(PANEL_STATE.diff(EMPTY_PANEL, { ...EMPTY_PANEL, draft, chats: [] }), { draft, chats: [] });
  });

  it('holds of a growing text what is new', () => {
    const before = panel(assistantEntry('2', { type: 'reasoning', text: 'Hm', ms: null }, text('Yes')));
    const after = panel(assistantEntry('2', { type: 'reasoning', text: 'Hm', ms: null }, text('Yes, I do')));
    assert.deepEqual(PANEL_STATE.diff(before, after), delta({ append: [{ entryId: '2', part: 1, offset: 3, text: ', I do' }] }));
  });

  it('holds of growing arguments what is new', () => {
    const call = toolCall('c', '{"a"', {});
    const [before, after] = [panel(assistantEntry('2', call)), panel(assistantEntry('2', { ...call, args: '{"a":1}' }))];
    assert.deepEqual(PANEL_STATE.diff(before, after), delta({ append: [{ entryId: '2', part: 0, offset: 4, text: ':1}' }] }));
  });

  it('holds of a growing reply the parts that begin', () => {
    const [before, after] = [panel(assistantEntry('2', text('Yes'))), panel(assistantEntry('2', text('Yes!'), text('And'), text('')))];
    const append = [
      { entryId: '2', part: 0, offset: 3, text: '!' },
      { entryId: '2', part: 1, begins: text('And') },
      { entryId: '2', part: 2, begins: text('') },
    ];
    assert.deepEqual(PANEL_STATE.diff(before, after), delta({ append }));
    assert.deepEqual(PANEL_STATE.apply(before, delta({ append })), after);
  });

  it('holds an entry whole when it changed otherwise', () => {
    const before = assistantEntry('2', text('Yes'));
    for (const after of [
      assistantEntry('2', text('No')),
      assistantEntry('2', text('Ye')),
      assistantEntry('2'),
      assistantEntry('2', { type: 'reasoning', text: 'Yes', ms: null }),
      { ...before, status: 'done' as const },
      userEntry('2', 'Yes'),
    ]) {
      assert.deepEqual(PANEL_STATE.diff(panel(before), panel(after)), delta({ put: [after] }));
    }
  });

  it('holds new entries and the order of all', () => {
    const [one, two, three] = [userEntry('1', 'a'), userEntry('2', 'b'), userEntry('3', 'c')];
    assert.deepEqual(PANEL_STATE.diff(panel(one, two), panel(three, one)), delta({ order: ['3', '1'], put: [three] }));
  });
});

describe('a delta that does not fit', () => {
  const state = panel(userEntry('1', 'Hi'), assistantEntry('2', text('Yes'), toolCall('c', '', {})));
  const append = { entryId: '2', part: 0, offset: 3, text: '!' };

  it('is told by what it appends to', () => {
    const misfits = [
      { ...append, entryId: '9' },
      { ...append, entryId: '1' },
      { ...append, part: 1, offset: 1 },
      { entryId: '2', part: 1, begins: text('') },
      { entryId: '2', part: 3, begins: text('') },
      { ...append, part: 7, offset: 0 },
      { ...append, offset: 2 },
      { ...append, offset: 4 },
    ];
    for (const misfit of misfits) {
      assert.throws(() => PANEL_STATE.apply(state, delta({ append: [misfit] })), /appends to/);
    }
  });

  it('is told by an entry that it orders', () => {
    assert.throws(() => PANEL_STATE.apply(state, delta({ order: ['1', '2', '3'] })), /unknown entry 3/);
  });

  it('is told by an entry that it changes', () => {
    assert.throws(() => PANEL_STATE.apply(state, delta({ put: [userEntry('3', 'c')] })), /unknown entry 3/);
    assert.throws(() => PANEL_STATE.apply(state, delta({ order: ['1', '2'], put: [userEntry('3', 'c')] })), /unknown entry 3/);
  });

  it('leaves the state as it was', () => {
    const before = copyOf(state);
    assert.throws(() => PANEL_STATE.apply(state, delta({ put: [userEntry('1', 'new')], append: [{ ...append, offset: 0 }] })));
    assert.deepEqual(state, before);
  });
});
