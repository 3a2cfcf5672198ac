import assert from 'node:assert/strict';
import { join } from 'node:path';
import { lastRun } from '../../../src/engine/chat/branch.js';
import { isWaiting } from '../../../src/engine/chat/calls/calls.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { EchoServer, toolboxWith, toolNamed } from '../../support/host/toolServer.js';
import { conversation, runStatuses, sentTexts } from '../../support/host/reading.js';
import { until } from '../../support/host/clocks.js';
import { DEAD_PID, useWindows, type Window, type WindowOptions } from '../../support/host/window.js';

const ONCE = { scope: 'once', reason: null } as const;

describe('the approval of tools in a chat', () => {
  const windows = useWindows();
  let server: EchoServer;
  beforeEach(() => {
    server = new EchoServer('files', 'write', 'read');
  });

  const open = (options: WindowOptions): Window =>
    windows.open({ toolbox: toolboxWith([server], join(windows.folder, 'allowed')), ...options });
  const waiting = ({ state }: ChatSession): string[] =>
    lastRun(state)?.calls.flatMap((call) => (isWaiting(call) ? [call.callId] : [])) ?? [];
  const asked = async (session: ChatSession, count: number): Promise<void> =>
    until(() => waiting(session).length === count, `${String(count)} questions`);

  const CALL = '/tool files__write {"path":"a"}';

  it('is asked for once, and the tool runs with exactly the arguments that were shown', async () => {
    const session = await open({}).chats.create();
    const sent = session.conversation.send(CALL);
    await asked(session, 1);
    assert.deepEqual(server.calls, []);
    await session.answers.approve(waiting(session)[0]!, ONCE);
    await sent;
    assert.deepEqual([server.calls, runStatuses(session.state)], [['{"path":"a"}'], ['committed']]);
    await assert.rejects(session.answers.approve('no such call', ONCE), /no longer open/);
  });

  it('for the chat holds for all its calls of the tool, and for no other tool or chat', async () => {
    const { chats } = open({});
    const session = await chats.create();
    const sent = session.conversation.send(`${CALL}\n/tool files__write {"path":"b"}\n/tool files__read {}`);
    await asked(session, 1);
    await session.answers.approve(waiting(session)[0]!, { scope: 'chat', reason: null });
    await asked(session, 1);
    assert.deepEqual(server.calls, ['{"path":"a"}', '{"path":"b"}']);
    await session.answers.approve(waiting(session)[0]!, { scope: 'refused', reason: 'not now' });
    await sent;
    assert.match(conversation(session.state).at(-1) ?? '', /the user refused this call/);
    const other = await chats.create();
    void other.conversation.send(CALL);
    await asked(other, 1);
    await other.conversation.stop();
  });

  it('for always holds in other chats and windows, until the description or the server changes', async () => {
    const first = await open({}).chats.create();
    const sent = first.conversation.send(CALL);
    await asked(first, 1);
    await first.answers.approve(waiting(first)[0]!, { scope: 'always', reason: null });
    await sent;
    const { chats } = open({ writerId: 'other' });
    const session = await chats.create();
    await session.conversation.send(CALL);
    assert.equal(server.calls.length, 2);
    for (const change of [
      () => (server.tools = [{ ...toolNamed('write'), description: 'Writes, and sends it to us.' }]),
      () => (server.identity = 'another command'),
    ]) {
      change();
      void session.conversation.send(CALL);
      await asked(session, 1);
      await session.conversation.stop();
    }
    assert.equal(server.calls.length, 2);
  });

  it('may be given in another window, which sees the question', async () => {
    const first = await open({ writerId: 'first', pid: process.ppid }).chats.create();
    const sent = first.conversation.send(CALL);
    await asked(first, 1);
    const second = await open({ writerId: 'second' }).chats.open(first.id);
    assert.deepEqual(waiting(second), waiting(first));
    await second.answers.approve(waiting(second)[0]!, ONCE);
    await first.poll();
    await sent;
    assert.deepEqual([server.calls, runStatuses(first.state)], [['{"path":"a"}'], ['committed']]);
    await second.poll();
    assert.deepEqual(sentTexts(second.state), sentTexts(first.state));
  });

  it('is still asked for after the window has died, and the answer goes on with the very call', async () => {
    const killed = await open({ writerId: 'killed', pid: DEAD_PID }).chats.create();
    void killed.conversation.send(CALL);
    await asked(killed, 1);
    const next = open({ writerId: 'next' });
    const session = await next.chats.open(killed.id);
    assert.deepEqual([runStatuses(session.state), waiting(session)], [['interrupted'], waiting(killed)]);
    await session.answers.approve(waiting(session)[0]!, ONCE);
    assert.deepEqual([server.calls, runStatuses(session.state)], [['{"path":"a"}'], ['interrupted', 'committed']]);
    assert.equal(next.model.bodies.length, 1, 'only the reply to the result is asked for');
    assert.equal(conversation(session.state).length, 4);
  });

  it('is given up by a new message: the model is told that the call has no result', async () => {
    const killed = await open({ writerId: 'killed', pid: DEAD_PID }).chats.create();
    void killed.conversation.send(CALL);
    await asked(killed, 1);
    const next = open({ writerId: 'next' });
    const session = await next.chats.open(killed.id);
    await session.conversation.send('Never mind');
    assert.deepEqual([server.calls, waiting(session)], [[], []]);
    assert.ok((next.model.bodies[0] ?? '').includes('The tool call was interrupted; it has no result.'));
  });

  it('is asked for tools that were offered, and no other can be called', async () => {
    const session = await open({}).chats.create();
    await session.removeContext({ type: 'tool', serverName: 'files', name: 'write' });
    await session.conversation.send(CALL);
    assert.deepEqual([server.calls, waiting(session)], [[], []]);
    assert.match(conversation(session.state).at(-1) ?? '', /there is no tool named files__write/);
  });
});
