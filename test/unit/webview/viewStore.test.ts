import assert from 'node:assert/strict';
import { PANEL_STATE, type PanelDelta, type PanelState } from '../../../src/protocol/panel/state.js';
import type { StateMessage } from '../../../src/protocol/viewState.js';
import { announcement } from '../../../webview/chat/shell/announcement.js';
import { ViewStore } from '../../../webview/shared/viewStore.js';
import { EMPTY_PANEL, userEntry } from '../../../webview/preview/views.js';
import { LISTED_CHAT } from '../../support/listedChat.js';

function state(id: string, running: boolean, texts: readonly string[]): PanelState {
  return {
    ...EMPTY_PANEL,
    chat: {
      id,
      title: id,
      running,
      isPractice: false,
      readOnly: null,
      damage: null,
      earlierMessages: 0,
      laterMessages: 0,
      model: { label: 'M', detail: '', hasKey: false },
      settings: [],
      titleRun: null,
      spent: null,
    },
    entries: texts.map((text) => userEntry(text, text)),
  };
}

const FAILED = {
  kind: 'runNote',
  id: 'n',
  status: 'failed',
  text: 'Overloaded.',
  detail: null,
  attemptId: null,
  failures: [],
  actions: [],
  isLast: true,
  userMessageId: '1',
} as const;

function delta(epoch: number, n: number, before: PanelState, after: PanelState): StateMessage<PanelState, PanelDelta> {
  const change = PANEL_STATE.diff(before, after);
  assert.ok(change !== null);
  return { type: 'delta', epoch, n, delta: change };
}

describe('The state of a view', () => {
  const one = state('a', false, ['1']);
  const two = state('a', true, ['1', '2']);

  it('is the snapshot and the deltas of its epoch', () => {
    const store = new ViewStore(PANEL_STATE);
    assert.equal(store.accept({ type: 'snapshot', epoch: 3, state: one }), 'snapshot');
    assert.equal(store.accept(delta(3, 1, one, two)), 'changed');
    assert.deepEqual(store.state, two);
  });

  it('ignores deltas before a snapshot and of another epoch', () => {
    const store = new ViewStore(PANEL_STATE);
    assert.equal(store.accept(delta(1, 1, one, two)), 'ignored');
    store.accept({ type: 'snapshot', epoch: 3, state: one });
    assert.equal(store.accept(delta(2, 1, one, two)), 'ignored');
    assert.deepEqual(store.state, one);
  });

  it('asks for a snapshot once, with the reason for the log, when a delta is missing or does not fit', () => {
    const misfit: StateMessage<PanelState, PanelDelta> = {
      type: 'delta',
      epoch: 3,
      n: 1,
      delta: { entries: { order: ['?'], put: [], append: [] } },
    };
    const wrongs = [
      [delta(3, 2, one, two), /^Delta 2 came after 0\.$/],
      [misfit, /^Delta 1 does not fit: .+/],
    ] as const;
    for (const [wrong, reason] of wrongs) {
      const store = new ViewStore(PANEL_STATE);
      store.accept({ type: 'snapshot', epoch: 3, state: one });
      const outcome = store.accept(wrong);
      assert.ok(typeof outcome === 'object');
      assert.match(outcome.resync, reason);
      assert.equal(store.accept(delta(3, 1, one, two)), 'ignored');
      assert.deepEqual(store.state, one);
      assert.equal(store.accept({ type: 'snapshot', epoch: 4, state: two }), 'snapshot');
    }
  });
});

describe('Announcements', () => {
  it('tell when a reply begins and ends, and nothing else', () => {
    const idle = state('a', false, ['1']);
    const running = state('a', true, ['1']);
    assert.equal(announcement(null, idle), null);
    assert.equal(announcement(idle, running), 'Reply started');
    assert.equal(announcement(running, running), null);
    assert.equal(announcement(running, idle), 'Reply finished');
    assert.equal(announcement(running, state('b', false, [])), null);
  });

  it('tell of a reply that another window gets', () => {
    const idle = state('a', false, ['1']);
    const row = { ...LISTED_CHAT, id: 'a', title: 'a', messageCount: 1, updatedAt: 1, running: true };
    const elsewhere = { ...idle, chats: [row] };
    assert.equal(announcement(idle, elsewhere), 'The model is writing a reply in another window');
    assert.equal(announcement(elsewhere, elsewhere), null);
    assert.equal(announcement(elsewhere, idle), 'Reply finished');
    assert.equal(announcement(idle, { ...state('a', true, ['1']), chats: [row] }), 'Reply started');
  });

  it('tell once that a message waits for the end of the reply', () => {
    const running = state('a', true, ['1']);
    const waiting = { ...running, entries: [...running.entries, { ...userEntry('q', 'Next'), status: 'queued' as const }] };
    assert.equal(announcement(running, waiting), 'Loupe sends the message after this reply');
    assert.equal(announcement(waiting, waiting), null);
    const held = { ...waiting, chat: running.chat && { ...running.chat, running: false } };
    assert.equal(announcement(waiting, held), 'Reply finished A queued message is not sent yet');
    assert.equal(announcement(held, held), null);
  });

  it('tell how a run failed', () => {
    const failed = { ...state('a', false, ['1']), entries: [FAILED] };
    assert.equal(announcement(state('a', true, ['1']), failed), 'Overloaded.');
  });

  it('tell once that a failed request is waited for', () => {
    const wait = {
      kind: 'retry',
      id: 'retry-1',
      attemptId: 'a',
      text: 'Too many requests.',
      failures: [],
      at: 5_000,
      number: 1,
      most: 4,
    } as const;
    const before = state('a', true, ['1']);
    const waiting = { ...before, entries: [wait] };
    assert.equal(announcement(before, waiting), 'Too many requests. Loupe will try again.');
    assert.equal(announcement(waiting, waiting), null);
    assert.equal(announcement(waiting, { ...before, entries: [{ ...wait, id: 'retry-2' }] }), 'Too many requests. Loupe will try again.');
    assert.equal(announcement(waiting, before), null);
  });

  it('tell that a reply ended, not how, where its end is not on show', () => {
    const part = (running: boolean): PanelState => {
      const { chat, ...rest } = state('a', running, []);
      assert.ok(chat !== null);
      return { ...rest, chat: { ...chat, laterMessages: 7 }, entries: [FAILED] };
    };
    assert.equal(announcement(part(true), part(false)), 'Reply ended');
  });

  it('tell of a notice when it comes; errors are alerts of their own', () => {
    const before = state('a', false, []);
    const notice = { id: 'deleted', severity: 'info', text: 'The chat "A" was deleted.', actions: [] } as const;
    const error = { id: 'storage', severity: 'error', text: 'Not saved.', actions: [] } as const;
    const after = { ...before, banners: [error, notice] };
    assert.equal(announcement(before, after), 'The chat "A" was deleted.');
    assert.equal(announcement(after, after), null);
    assert.equal(announcement(after, before), null);
  });

  it('tell that a chat is damaged when it is opened, and when more is found', () => {
    const sound = state('a', false, []);
    const damaged = (label: string, id: 'b' | 'c'): PanelState => {
      const { chat, ...rest } = state(id, false, []);
      assert.ok(chat !== null);
      return { ...rest, chat: { ...chat, damage: { label, files: [], others: [] } } };
    };
    assert.equal(announcement(null, damaged('Damaged log: line 2', 'b')), 'Damaged log: line 2');
    assert.equal(announcement(sound, damaged('Damaged log: line 2', 'b')), 'Damaged log: line 2');
    assert.equal(announcement(damaged('Damaged log: line 2', 'b'), damaged('Damaged log: line 2', 'b')), null);
    assert.equal(
      announcement(damaged('Damaged log: line 2', 'b'), damaged('Damaged log: lines 2 and 3', 'b')),
      'Damaged log: lines 2 and 3',
    );
    assert.equal(announcement(damaged('Damaged log: line 2', 'b'), damaged('Damaged log: line 2', 'c')), 'Damaged log: line 2');
    assert.equal(announcement(damaged('Damaged log: line 2', 'b'), sound), null);
  });
});
