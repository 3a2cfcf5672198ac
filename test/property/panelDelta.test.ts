import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { EntryAppend } from '../../src/protocol/panel/entryChanges.js';
import { PANEL_STATE, type PanelState } from '../../src/protocol/panel/state.js';
import { depth } from '../support/depth.mjs';
import { anyPanel, copyOf, growingPanel } from '../support/engine/panelStates.js';
import { forAll, inRuns } from '../support/forAll.js';

/** The state after the delta, both sent as messages, which must not change their sources. */
function arrived(before: PanelState, after: PanelState): PanelState {
  const receiver = copyOf(before);
  const delta = PANEL_STATE.diff(before, after);
  const state = delta === null ? receiver : PANEL_STATE.apply(receiver, copyOf(delta));
  assert.deepEqual(receiver, before);
  return state;
}

function lengthOf(append: EntryAppend): number {
  if ('text' in append) {
    return append.text.length;
  }
  const { begins } = append;
  return begins.type === 'toolCall' ? begins.args.length : 'text' in begins ? begins.text.length : 0;
}

describe('a delta between any two states', () => {
  it('applied to the first gives the second', () => {
    inRuns(depth({ short: 250, deep: 5_000 })).forAll(anyPanel, anyPanel, (before, after) => {
      assert.deepEqual(arrived(before, after), after);
    });
  });

  it('is null between equal ones and only there', () => {
    forAll(anyPanel, anyPanel, (before, after) => {
      assert.equal(PANEL_STATE.diff(before, copyOf(before)), null);
      const areEqual = JSON.stringify(before) === JSON.stringify(after);
      assert.equal(PANEL_STATE.diff(before, after) === null, areEqual);
    });
  });

  it('follows a whole sequence of them', () => {
    forAll(fc.array(anyPanel, { minLength: 2, maxLength: 6 }), (states) => {
      const [first, ...rest] = states;
      let shown = first!;
      for (const [index, state] of rest.entries()) {
        const delta = PANEL_STATE.diff(states[index]!, state);
        shown = delta === null ? shown : PANEL_STATE.apply(shown, copyOf(delta));
        assert.deepEqual(shown, state);
      }
    });
  });
});

describe('a delta of streaming text', () => {
  it('gives the longer text', () => {
    forAll(growingPanel, ({ before, after }) => {
      assert.deepEqual(arrived(before, after), after);
    });
  });

  it('is as large as the growth, however long the text is', () => {
    forAll(growingPanel, ({ before, after, grown }) => {
      const delta = PANEL_STATE.diff(before, after);
      const { entries, ...others } = delta ?? {};
      assert.deepEqual(others, {});
      const { order, put, append } = entries ?? { order: null, put: [], append: [] };
      assert.deepEqual({ order, put }, { order: null, put: [] });
      const appended = append.reduce((sum, each) => sum + lengthOf(each), 0);
      assert.equal(appended, grown);
    });
  });
});
