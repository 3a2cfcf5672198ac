import assert from 'node:assert/strict';
import { join } from 'node:path';
import { GLOBAL_PROMPT } from '../../../src/engine/request/gather.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { SESSION_FILE_TOOLS } from '../../../src/host/tools/workspace/sessionFileTools.js';
import { WorkspaceServer } from '../../../src/host/tools/workspace/workspaceServer.js';
import type { PracticeRequest } from '../../../src/providers/practice/wire.js';
import { failureOf } from '../../support/failures.js';
import { NO_EDITOR } from '../../support/host/editor.js';
import { openPanel } from '../../support/host/panel.js';
import { conversation, EchoTool, messages, storedText, unsentTexts } from '../../support/host/reading.js';
import { EchoServer, toolboxWith } from '../../support/host/toolServer.js';
import { MemoryFiles, useWindows, type Window, type WindowOptions } from '../../support/host/window.js';
import { readChat } from '../../support/storage/readChat.js';

/*
 * The architecture of the agent context system of the reference, in its words, in chats of a window.
 */

const ADA = { id: 'a1', name: 'Ada' };
const BOB = { id: 'b2', name: 'Bob' };

const FILES =
  'Files can be read/written as required. Create new files conservatively, usually when complex content is requested. ' +
  'Use base64 for binary (image,pdf), ascii for text formats (html,markdown). Available files:\nname,type,summary\n';

const PARTICIPANTS = 'The following map is from user_uuids to real names. In user messages, real names will be used.\na1: Ada\nb2: Bob';

const agent = (prompt: string): string => `---\nname: Pilot\n---\n${prompt}`;

const file = (text: string) => ({ bytes: Buffer.from(text), mimeType: null, summary: null });

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The texts of the messages of a body, each with its role. Calls and results are as their types. */
function said(body: string): string[] {
  const { messages } = JSON.parse(body) as PracticeRequest;
  return messages.flatMap(({ role, content }) => content.map((part) => `${role}: ${part.type === 'text' ? part.text : part.type}`));
}

function systemOf(body: string): string {
  return (JSON.parse(body) as PracticeRequest).system.map(({ text }) => text).join('');
}

describe('the agent context system', () => {
  const windows = useWindows();

  const nextBody = async (session: ChatSession): Promise<string> => (await session.next.preview({ text: '', editing: null })).wire().body;

  /** A window whose chats have the tools for session files. */
  const withFileTools = (): Pick<WindowOptions, 'toolbox'> => ({
    toolbox: toolboxWith([new WorkspaceServer([], SESSION_FILE_TOOLS, () => [])], join(windows.folder, 'allowed')),
  });

  const nextSystem = async (session: ChatSession): Promise<string> => systemOf(await nextBody(session));

  describe('system prompt composition', () => {
    it('global + "\\n" + agent + "\\n" + fragments.join("\\n"), dynamically composed for each request', async () => {
      let me = ADA;
      const files = new MemoryFiles();
      files.texts.set('.loupe/agents/pilot.md', agent('You fly planes.'));
      const config = { agent: 'Pilot', layout: 'plain' } as const;
      const { window, session } = await windows.openChat({ ...withFileTools(), files, me: () => me, config }, '/long 1');
      const sent = (): string => systemOf(window.model.bodies.at(-1) ?? '');
      assert.equal(sent(), `${GLOBAL_PROMPT}\nYou fly planes.`);
      await session.fragments.set('style', 'Write in rhymes.');
      await session.files.putFileContent('plan.md', file('# Plan'));
      me = BOB;
      await session.conversation.send('/long 1');
      const fragments = [`${FILES}plan.md,text/markdown,Plan\n`, PARTICIPANTS, 'Write in rhymes.'];
      assert.equal(sent(), [GLOBAL_PROMPT, 'You fly planes.', ...fragments].join('\n'));
      files.texts.set('.loupe/agents/pilot.md', agent('You fly gliders.'));
      await session.conversation.send('/long 1');
      assert.equal(sent(), [GLOBAL_PROMPT, 'You fly gliders.', ...fragments].join('\n'));
    });

    it('the system message is never stored: only records of past requests have its pieces', async () => {
      const { window, session } = await windows.openChat({ ...withFileTools(), config: { layout: 'plain' } });
      await session.files.putFileContent('plan.md', file('# Plan'));
      await session.fragments.set('style', 'Write in rhymes.');
      const composed = await nextSystem(session);
      await session.conversation.send('/long 1');
      const { events } = await readChat(window.store, session.id);
      const storing = (text: string): unknown[] =>
        events.filter((event) => JSON.stringify(event).includes(inJson(text))).map(({ type }) => type);
      assert.deepEqual(storing(GLOBAL_PROMPT), ['attempt-started']);
      assert.deepEqual(storing('Files can be read/written'), ['attempt-started']);
      assert.deepEqual(storing('Write in rhymes.'), ['fragment-set', 'attempt-started']);
      assert.ok(!(await storedText(window.folder, session.id)).includes(inJson(composed)));
      const roles = events.flatMap((event) => (event.type === 'message' ? [event.message.role] : []));
      assert.deepEqual(roles, ['user', 'assistant']);
    });

    it('MCP tools are passed as a separate parameter, not as system prompt fragments', async () => {
      const toolbox = toolboxWith([new EchoServer('tides', 'gauge')], join(windows.folder, 'allowed'));
      const { window } = await windows.openChat({ toolbox }, '/long 1');
      const [body = ''] = window.model.bodies;
      const { tools } = JSON.parse(body) as PracticeRequest;
      assert.deepEqual(
        tools.map(({ description }) => description),
        ['Does gauge.'],
      );
      assert.equal(systemOf(body), GLOBAL_PROMPT);
    });
  });

  describe('fragments', () => {
    it('use lazy evaluation: only recomputed when dirty flags are set, on the next request', async () => {
      const { session } = await windows.openChat(withFileTools());
      let computed = 0;
      const { files } = session;
      const listFiles = files.listFiles.bind(files);
      files.listFiles = () => {
        computed += 1;
        return listFiles();
      };
      await session.conversation.send('/long 1');
      await session.conversation.send('/tool delete_session_file {"name": "none.md"}');
      await nextBody(session);
      assert.equal(computed, 1, 'once for four requests');
      await files.putFileContent('plan.md', file('# Plan'));
      await files.putFileContent('plan.md', file('# Second plan'));
      await session.fragments.set('style', 'Write in rhymes.');
      assert.equal(computed, 1, 'not at the change');
      assert.ok((await nextSystem(session)).includes('plan.md,text/markdown,Second plan\n'));
      await session.conversation.send('/long 1');
      assert.equal(computed, 2, 'once for two changes and two requests');
      await session.conversation.send('/tool delete_session_file {"name": "plan.md"}');
      assert.equal(computed, 3, 'the step after the deletion');
      assert.ok(!(await nextSystem(session)).includes('Available files'));
      assert.equal(computed, 3);
    });

    it('setFragment survives a reload', async () => {
      const { api } = openPanel(windows.open({}), { currentChat: undefined });
      const id = await api.newChat();
      await api.setFragment(id, 'style', 'Write in rhymes.');
      await api.setFragment(id, 'place', 'You are at the quay.');
      await api.setFragment(id, 'style', 'Write in prose.');
      await api.setFragment(id, 'old', 'An old text.');
      await api.setFragment(id, 'old');
      const { session } = await reopened(id, {});
      assert.equal(await nextSystem(session), [GLOBAL_PROMPT, 'Write in prose.', 'You are at the quay.'].join('\n'));
    });
  });

  const config = { layout: 'plain', editorDate: 'off' } as const;
  const editor = {
    ...NO_EDITOR,
    active: () => Promise.resolve({ path: 'heap.ts', withheld: null, selection: null, visible: null }),
  };
  const WORKSPACE = 'user: Open in the editor: heap.ts';

  it('context window: system message, checkpoint message, recent messages, workspace message; all messages stay stored', async () => {
    const { window, session } = await windows.openChat({ editor, config }, '/long 300', '/long 301', '/long 3');
    const before = conversation(session.state);
    const [, second] = messages(session.state).filter(({ role }) => role === 'assistant');
    await session.compactor.summarize(second?.id ?? '');
    const body = await nextBody(session);
    assert.equal(systemOf(body), GLOBAL_PROMPT);
    const [checkpoint, ...rest] = said(body);
    assert.match(checkpoint ?? '', /^user: Previous Conversation Summary:\n/);
    assert.deepEqual(rest, [...before.slice(-2), WORKSPACE]);
    assert.deepEqual(conversation(session.state), before);
    const { session: later } = await reopened(session.id, { editor });
    assert.deepEqual(conversation(later.state), before);
    assert.equal(await nextBody(later), body, 'the compressed context is recreated');
    assert.deepEqual(window.errors, []);
  });

  describe('transactions', () => {
    const FIRST = ['user: /long 1', 'assistant: Practice.'];
    const CALLED = ['assistant: I call `echo`.', 'assistant: toolCall', 'tool: toolResult'];

    it('the workspace message is positioned before agent responses, and restored to the end after commit', async () => {
      const { window, session } = await windows.openChat({ editor, config, tools: new EchoTool() }, '/long 1');
      assert.deepEqual(said(await nextBody(session)), [...FIRST, WORKSPACE], 'committed: [U1, A1, Workspace]');
      await session.conversation.send('/tool echo {}');
      const [, started = '', called = ''] = window.model.bodies;
      assert.deepEqual(said(started), [...FIRST, 'user: /tool echo {}', WORKSPACE], 'transaction: [U1, A1, NewUser, Workspace]');
      assert.deepEqual(said(called), [...FIRST, 'user: /tool echo {}', WORKSPACE, ...CALLED], 'and NewAgent');
      const committed = said(await nextBody(session));
      assert.deepEqual(committed.slice(0, -2), [...FIRST, 'user: /tool echo {}', ...CALLED], 'after commit: NewUser, NewAgent');
      assert.deepEqual([committed.at(-2)?.split(' ')[0], committed.at(-1)], ['assistant:', WORKSPACE], 'and Workspace');
      const { window: later } = await reopened(session.id, { editor });
      await (await later.chats.open(session.id)).conversation.send('/long 1');
      assert.deepEqual(said(later.model.bodies[0] ?? '').slice(-2), ['user: /long 1', WORKSPACE]);
      assert.equal(said(later.model.bodies[0] ?? '').filter((line) => line === WORKSPACE).length, 1);
    });

    it('ensure atomicity: all-or-nothing commits with rollback', async () => {
      const { window, session } = await windows.openChat({ config, tools: new EchoTool() }, '/long 1');
      window.model.failures.push(failureOf('auth', 'The key is not valid.'));
      await session.conversation.send('/long 2');
      assert.deepEqual(said(await nextBody(session)), FIRST, 'rolled back');
      assert.deepEqual(unsentTexts(session.state), ['/long 2'], 'the message stays visible');
      window.model.failures.push(null, failureOf('auth', 'The key is not valid.'));
      await session.conversation.send('/tool echo {}');
      const { session: later } = await reopened(session.id, {});
      for (const each of [session, later]) {
        assert.deepEqual(said(await nextBody(each)), [...FIRST, 'user: /tool echo {}', ...CALLED], 'the round of a tool that ran');
      }
    });
  });

  const reopened = async (id: string, options: WindowOptions): Promise<{ readonly window: Window; readonly session: ChatSession }> => {
    const window = windows.open({ ...options, writerId: 'reopened' });
    return { window, session: await window.chats.open(id) };
  };
});
