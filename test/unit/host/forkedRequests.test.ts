import assert from 'node:assert/strict';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { lastReply, lastUser, messages, actionsOf, conversation, sentTexts, unsentTexts, wholeState } from '../../support/host/reading.js';
import { useWindows, type Window } from '../../support/host/window.js';
import { panelOf } from '../../support/host/panel.js';

describe('the requests that a fork inherits', () => {
  const windows = useWindows();

  async function chat(): Promise<{ readonly window: Window; readonly session: ChatSession }> {
    const { window, session } = await windows.openChat({}, '/long 2');
    return { window, session };
  }

  /** The notes of inexact requests, and the number of requests. */
  async function shown(fork: ChatSession): Promise<{ readonly notes: readonly string[]; readonly requests: number }> {
    const ids = [...fork.state.attempts.keys()];
    const rebuilt = await Promise.all(ids.map(async (id) => (await fork.records.request(id)).rebuilt));
    return { notes: rebuilt.flatMap(({ note }) => (note === null ? [] : [note])), requests: ids.length };
  }

  it('can all be shown when a run before them has failed, and hold what they held', async () => {
    const { window, session } = await chat();
    await session.conversation.send('/error 401');
    await session.conversation.send('/long 3');
    const fork = await window.chats.fork(session, lastReply(session.state).id);
    assert.deepEqual(await shown(fork), { notes: [], requests: 2 });
    const { rebuilt } = await fork.records.request(lastReply(fork.state).id);
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

describe('a reply that broke off', () => {
  const windows = useWindows();

  it('is not part of the chat until Continue makes it so, and the model is asked to go on', async () => {
    const { window, session } = await windows.openChat({});
    const panel = await panelOf(window, session.id);
    await session.conversation.send('/error cut');
    const arrived = [...session.state.attempts.values()].at(-1)?.reply.find((part) => part?.type === 'text')?.text ?? '';
    assert.ok(arrived.length > 0);
    assert.deepEqual([sentTexts(session.state), unsentTexts(session.state)], [[], ['/error cut']]);
    assert.deepEqual(actionsOf(session), ['continue', 'keepReply', 'retry']);
    await panel.say({ type: 'continue', chatId: session.id });
    assert.deepEqual(conversation(session.state).slice(0, 3), ['user: /error cut', `assistant: ${arrived}`, 'user: Continue']);
    assert.equal(conversation(session.state).length, 4);
    assert.deepEqual(unsentTexts(session.state), []);
    const body = window.model.bodies.at(-1) ?? '';
    assert.ok(body.includes(JSON.stringify(arrived).slice(1, -1)), 'the request holds what had arrived');
    const reopened = await windows.open({ writerId: 'other' }).chats.open(session.id);
    assert.deepEqual(wholeState(reopened.state), wholeState(session.state));
  });

  it('can be kept without a further request, and taken out of requests again', async () => {
    const { window, session } = await windows.openChat({});
    const panel = await panelOf(window, session.id);
    await session.conversation.send('/error cut');
    const arrived = [...session.state.attempts.values()].at(-1)?.reply.find((part) => part?.type === 'text')?.text ?? '';
    const requests = window.model.bodies.length;
    await panel.say({ type: 'keepReply', chatId: session.id });
    assert.equal(window.model.bodies.length, requests);
    assert.deepEqual(sentTexts(session.state), ['/error cut', arrived]);
    assert.deepEqual(actionsOf(session).includes('keepReply'), false);
    await assert.rejects(session.conversation.keepReply(), /no unfinished reply/);
    await panel.say({ type: 'exclude', chatId: session.id, messageId: lastUser(session.state).id, call: null, leaves: 'now' });
    const excluded = panel
      .snapshot()
      .entries.filter((entry) => entry.kind === 'assistant')
      .map((entry) => entry.excluded);
    assert.deepEqual(excluded, ['turn']);
  });

  it('is left out as before where the message is answered again, or another one is sent', async () => {
    const { session } = await windows.openChat({}, '/error cut', '/long 3');
    assert.equal(sentTexts(session.state)[0], '/long 3');
    assert.deepEqual(unsentTexts(session.state), ['/error cut']);
  });

  it('offers nothing to continue where no text had arrived', async () => {
    const { session } = await windows.openChat({}, '/error 401');
    assert.ok(!actionsOf(session).includes('continue'));
    await assert.rejects(session.conversation.continueRun());
  });
});
