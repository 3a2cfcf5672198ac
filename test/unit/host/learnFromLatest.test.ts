import assert from 'node:assert/strict';
import { learnFromLatest } from '../../../src/host/chat/learning/learnFromLatest.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { RunningClock } from '../../support/host/clocks.js';
import { useWindows, type Window } from '../../support/host/window.js';

describe('what chats have taught', () => {
  const windows = useWindows();
  const config = { systemPrompt: 'Answer in plain words. '.repeat(1_000) };

  /** A chat of some turns in a closed window, and the next window. */
  async function restarted(turns: number): Promise<Window> {
    const clock = new RunningClock();
    const { window: first, session } = await windows.openChat({ clock, config });
    for (let turn = 0; turn < turns; turn += 1) {
      await session.conversation.send('And then?');
    }
    await first.chats.close();
    const next = windows.open({ writerId: 'next', clock, config });
    await next.chats.refresh();
    return next;
  }

  const band = async (window: Window, session: ChatSession): Promise<unknown> => {
    const composed = await session.next.preview({ text: 'And then?', editing: null });
    return window.chats.learned.turns.of(composed, composed.forecast, session.state);
  };

  it('holds after a restart: the chat itself has its band, and so has a new one', async () => {
    const window = await restarted(5);
    const id = window.chats.list()[0]?.id ?? '';
    await learnFromLatest({ ...window, logError: (error) => assert.fail(error) });
    assert.ok((await band(window, await window.chats.create())) !== null);
    assert.ok((await band(window, await window.chats.open(id))) !== null);
  });

  it('holds for the caches before any of these chats is opened, and counts no request twice once one is', async () => {
    const window = await restarted(3);
    const id = window.chats.list()[0]?.id ?? '';
    const session = await window.chats.create();
    const reads = async (): Promise<number | undefined> =>
      (await session.next.preview({ text: 'And?', editing: null })).forecast?.parts.read;
    assert.equal(await reads(), 0);
    let changes = 0;
    window.chats.onChange({ changed: () => (changes += 1) });
    await learnFromLatest({ ...window, logError: (error) => assert.fail(error) });
    assert.ok(changes > 0, 'panels show the new figures');
    const read = await reads();
    assert.ok(read !== undefined && read > 0, String(read));
    await (await window.chats.open(id)).next.preview({ text: 'And?', editing: null });
    assert.equal(await reads(), read);
  });

  it('is nothing of a chat that cannot be read, which the log names', async () => {
    const window = await restarted(1);
    const errors: string[] = [];
    const store = { openEnd: () => Promise.reject(new Error('The disk is gone.')) };
    await learnFromLatest({ ...window, store, logError: ({ message }) => errors.push(message) });
    assert.equal(errors.length, 1);
  });
});
