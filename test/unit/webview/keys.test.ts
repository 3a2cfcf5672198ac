import assert from 'node:assert/strict';
import { escapeStep } from '../../../webview/chat/shell/escape.js';
import { PromptHistory } from '../../../webview/chat/composer/promptHistory.js';
import { movedTo } from '../../../webview/shared/keys.js';

describe('Escape', () => {
  const state = { isFinding: false, hasPane: false, isAsked: false, isEditing: false, isRunning: false } as const;

  it('takes back what was opened last, then stops the reply, and else goes to the message box', () => {
    const running = { ...state, isRunning: true };
    const editing = { ...running, isEditing: true };
    const asked = { ...editing, isAsked: true };
    const inSettings = { ...asked, hasPane: true } as const;
    assert.deepEqual([{ ...inSettings, isFinding: true }, inSettings, asked, editing, running, state].map(escapeStep), [
      'closeFind',
      'closePane',
      'declineSpend',
      'cancelEdit',
      'stop',
      'focusComposer',
    ]);
  });
});

describe('Earlier prompts in the message box', () => {
  const prompts = ['one', 'two', 'three'];

  it('come back from the latest on, and forward again to what was being written', () => {
    const history = new PromptHistory();
    assert.equal(history.older('draft', prompts), 'three');
    assert.equal(history.older('three', prompts), 'two');
    assert.equal(history.older('two', prompts), 'one');
    assert.equal(history.older('one', prompts), null);
    assert.equal(history.newer('one', prompts), 'two');
    assert.equal(history.newer('two', prompts), 'three');
    assert.equal(history.newer('three', prompts), 'draft');
    assert.equal(history.newer('draft', prompts), null);
  });

  it('that were changed are kept like anything that is being written', () => {
    const history = new PromptHistory();
    history.older('', prompts);
    assert.equal(history.isShowing('three'), true);
    assert.equal(history.isShowing('three more'), false);
    assert.equal(history.newer('three more', prompts), null);
    assert.equal(history.older('three more', prompts), 'three');
    assert.equal(history.newer('three', prompts), 'three more');
  });

  it('are none in a new chat', () => {
    const history = new PromptHistory();
    assert.equal(history.older('', []), null);
    assert.equal(history.isShowing(''), false);
    assert.equal(history.newer('', []), null);
  });
});

describe('Keys in a list', () => {
  it('move by one, or to an end, and not beyond it', () => {
    const moves = (from: number): (number | null)[] =>
      ['ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight', 'Home', 'End', 'Enter', 'toString'].map((key) => movedTo(key, from, 3));
    assert.deepEqual(moves(1), [0, 0, 2, 2, 0, 2, null, null]);
    assert.deepEqual(moves(0).slice(0, 2), [0, 0]);
    assert.deepEqual(moves(2).slice(2, 4), [2, 2]);
  });
});
