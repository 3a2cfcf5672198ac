import assert from 'node:assert/strict';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { lastReply, messages } from '../../support/host/reading.js';
import { useWindows, type Window } from '../../support/host/window.js';

describe('the requests that a fork inherits', () => {
  const windows = useWindows();

  async function chat(): Promise<{ readonly window: Window; readonly session: ChatSession }> {
    const { window, session } = await windows.openChat({}, '/long 2');
    return { window, session };
  }

  /** The notes of inexact requests, and the number of requests. */
  async function shown(fork: ChatSession): Promise<{ readonly notes: readonly string[]; readonly requests: number }> {
    const ids = [...fork.state.attempts.keys()];
    const rebuilt = await Promise.all(ids.map(async (id) => (await fork.request(id)).rebuilt));
    return { notes: rebuilt.flatMap(({ note }) => (note === null ? [] : [note])), requests: ids.length };
  }

  it('can all be shown when a run before them has failed, and hold what they held', async () => {
    const { window, session } = await chat();
    await session.conversation.send('/error 401');
    await session.conversation.send('/long 3');
    const fork = await window.chats.fork(session, lastReply(session.state).id);
    assert.deepEqual(await shown(fork), { notes: [], requests: 2 });
    const { rebuilt } = await fork.request(lastReply(fork.state).id);
    assert.equal(rebuilt.body, window.model.bodies.at(-1));
    assert.equal(messages(fork.state).length, 4);
  });

  it('can all be shown when an attempt of their own run has failed', async () => {
    const { window, session } = await chat();
    await session.conversation.send('/error 503 times 1');
    const fork = await window.chats.fork(session, lastReply(session.state).id);
    assert.deepEqual(await shown(fork), { notes: [], requests: 2 });
  });

  it('go on in the fork, whose next requests build on them', async () => {
    const { window, session } = await chat();
    await session.conversation.send('/error 401');
    await session.conversation.send('/long 3');
    const fork = await window.chats.fork(session, lastReply(session.state).id);
    await fork.conversation.send('/long 4');
    assert.deepEqual(await shown(fork), { notes: [], requests: 3 });
    const again = await window.chats.fork(fork, lastReply(fork.state).id);
    assert.deepEqual(await shown(again), { notes: [], requests: 3 });
  });
});
