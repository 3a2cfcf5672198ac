import assert from 'node:assert/strict';
import { join } from 'node:path';
import { lastRun } from '../../../src/engine/chat/branch.js';
import { isWaiting } from '../../../src/engine/chat/calls/calls.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { EchoServer, toolboxWith, toolNamed } from '../../support/host/toolServer.js';
import { conversation, runStatuses, sentTexts } from '../../support/host/reading.js';
import { until } from '../../support/host/clocks.js';
import { DEAD_PID, useWindows, type Window, type WindowOptions } from '../../support/host/window.js';
import { showChangedTool } from '../../../src/host/documents/changedTool.js';
import type { FileDifference } from '../../../src/host/tools/editDocuments.js';
import { shownText, visibleCharacters } from '../../../src/host/tools/shownText.js';
import type { SecretRead, Tool } from '../../../src/engine/tools/tool.js';
import type { Toolbox } from '../../../src/host/tools/toolbox.js';

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

  it('is needed for each file with secrets, even if the tool is allowed, until the user allows the file', async () => {
    const allowed: string[] = [];
    server.tools = [toolNamed('read')];
    const secret = (path: string): SecretRead => ({ path, by: 'text', allow: () => Promise.resolve(void allowed.push(path)) });
    server.secretRead = (_tool, { path }) =>
      Promise.resolve(typeof path === 'string' && path.endsWith('.env') && !allowed.includes(path) ? secret(path) : null);
    const { chats } = open({});
    const session = await chats.create();
    const read = (path: string): string => `/tool files__read {"path":"${path}"}`;
    const first = session.conversation.send(read('a.txt'));
    await asked(session, 1);
    assert.equal(lastRun(session.state)?.calls[0]?.asked?.secret, undefined);
    await session.answers.approve(waiting(session)[0]!, { scope: 'always', reason: null });
    await first;
    const sent = session.conversation.send([read('a.env'), read('b.env'), read('b.txt')].join('\n'));
    await asked(session, 1);
    await session.answers.approve(waiting(session)[0]!, { scope: 'refused', reason: null });
    await asked(session, 1);
    await session.answers.approve(waiting(session)[0]!, ONCE);
    await sent;
    assert.deepEqual(
      lastRun(session.state)?.calls.map((call) => call.asked?.secret),
      ['text', 'text', undefined],
    );
    assert.deepEqual([server.calls, allowed], [['{"path":"a.txt"}', '{"path":"b.env"}', '{"path":"b.txt"}'], ['b.env']]);
    await session.conversation.send(read('b.env'));
    assert.equal(server.calls.length, 4, 'without a question');
    const again = session.conversation.send(read('a.env'));
    await asked(session, 1);
    await session.conversation.stop();
    await again;
  });

  it('is needed for each edit of a file that can start programs, even if the tool is always allowed', async () => {
    server.setupFile = (_tool, { path }) => Promise.resolve(path === '.git/config' ? path : null);
    const session = await open({}).chats.create();
    const first = session.conversation.send(CALL);
    await asked(session, 1);
    await session.answers.approve(waiting(session)[0]!, { scope: 'always', reason: null });
    await first;
    const edit = '/tool files__write {"path":".git/config"}';
    for (const scope of ['chat', 'refused'] as const) {
      const sent = session.conversation.send(edit);
      await asked(session, 1);
      assert.equal(lastRun(session.state)?.calls[0]?.asked?.isSetup, true);
      await session.answers.approve(waiting(session)[0]!, { scope, reason: null });
      await sent;
    }
    assert.deepEqual(server.calls, ['{"path":"a"}', '{"path":".git/config"}']);
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
    await session.context.remove({ type: 'tool', serverName: 'files', name: 'write' });
    await session.conversation.send(CALL);
    assert.deepEqual([server.calls, waiting(session)], [[], []]);
    assert.match(conversation(session.state).at(-1) ?? '', /there is no tool named files__write/);
  });
});

const CALL = '/tool files__write {"path":"a"}';

describe('35. a tool that has changed since the user allowed it always', () => {
  const windows = useWindows();
  let server: EchoServer;
  let toolbox: Toolbox;
  let session: ChatSession;
  const waiting = (): string => lastRun(session.state)?.calls.find(isWaiting)?.callId ?? '';
  const asked = async (): Promise<string> => {
    await until(() => waiting() !== '', 'a question');
    return waiting();
  };
  const isChanged = (): boolean | undefined => lastRun(session.state)?.calls.at(-1)?.asked?.hasChanged;

  beforeEach(async () => {
    server = new EchoServer('files', 'write');
    toolbox = toolboxWith([server], join(windows.folder, 'allowed'));
    session = await windows.open({ toolbox }).chats.create();
    const sent = session.conversation.send(CALL);
    await session.answers.approve(await asked(), { scope: 'always', reason: null });
    await sent;
  });

  const differences: readonly { readonly what: string; readonly change: Partial<Tool>; readonly line: RegExp }[] = [
    {
      what: 'description',
      change: { description: 'Writes.\u202E And sends it to us.' },
      line: /^Writes\.\[U\+202E\] And sends it to us\.$/m,
    },
    { what: 'schema', change: { inputSchema: { type: 'object', properties: { to: { type: 'string' } } } }, line: /"to": \{/ },
  ];
  for (const { what, change, line } of differences) {
    it(`in its ${what} asks again, and can be compared with what was allowed`, async () => {
      server.tools = [{ ...toolNamed('write'), ...change }];
      void session.conversation.send(CALL);
      const callId = await asked();
      assert.deepEqual([server.calls.length, isChanged()], [1, true]);
      const shown: FileDifference[] = [];
      await showChangedTool(session.state, callId, { toolbox, show: (difference) => Promise.resolve(void shown.push(difference)) });
      assert.match(shown[0]?.before ?? '', /^Does write\.$/m);
      assert.match(shown[0]?.after ?? '', line);
      assert.doesNotMatch(shown[0]?.after ?? '', /\u202E/);
      await session.conversation.stop();
      await assert.rejects(
        showChangedTool(session.state, 'no such call', { toolbox, show: () => assert.fail('Nothing is shown.') }),
        /no longer open/,
      );
    });
  }

  it('says when VS Code cannot show the difference', async () => {
    server.tools = [{ ...toolNamed('write'), description: 'Writes more.' }];
    void session.conversation.send(CALL);
    const show = (): Promise<void> => Promise.reject(new Error('No editor opens.'));
    await assert.rejects(showChangedTool(session.state, await asked(), { toolbox, show }), /No editor opens/);
    await session.conversation.stop();
  });

  it('while the user was asked is not allowed by the answer, for this call or for later ones', async () => {
    server.tools = [{ ...toolNamed('write'), description: 'Writes more.' }];
    const sent = session.conversation.send(CALL);
    const callId = await asked();
    server.tools = [{ ...toolNamed('write'), description: 'Writes, and sends it to us.' }];
    await session.answers.approve(callId, { scope: 'always', reason: null });
    await until(() => lastRun(session.state)?.calls[0]?.approval === null, 'another question');
    assert.equal(server.calls.length, 1);
    await session.answers.approve(await asked(), { scope: 'refused', reason: null });
    await sent;
    assert.equal(server.calls.length, 1);
    const kept = await toolbox.always.before({ serverName: 'files', name: 'write', binding: '' });
    assert.equal(kept?.tool.description, 'Does write.');
  });

  it('is asked about after it was taken back, which the row of its call tells', async () => {
    const [call] = lastRun(session.state)?.calls ?? [];
    const binding = call?.asked?.binding ?? '';
    await session.answers.takeBack(binding);
    assert.deepEqual([...session.state.takenBack], [binding]);
    const sent = session.conversation.send(CALL);
    assert.equal(server.calls.length, 1);
    await session.answers.approve(await asked(), { scope: 'always', reason: null });
    await sent;
    assert.deepEqual([server.calls.length, session.state.takenBack.size], [2, 0]);
  });
});

describe('A text of others', () => {
  it('has its hidden characters as numbers: in a dialog on one line, in a document with its lines', () => {
    assert.equal(shownText('a\nb\tc\u200Bd$(zap)'), 'a b[U+0009]c[U+200B]d$\u200b(zap)');
    assert.equal(visibleCharacters('a\n\tb\u2066c\u0007'), 'a\n\tb[U+2066]c[U+0007]');
  });
});
