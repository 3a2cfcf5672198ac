import assert from 'node:assert/strict';
import { failure } from '../../../../src/engine/errors.js';
import type { ResourceBase } from '../../../../src/engine/record/item.js';
import type { ChatSession } from '../../../../src/host/chat/chatSession.js';
import { MAX_FILE_BYTES } from '../../../../src/host/context/files/readFile.js';
import { ServerResources, type ResourceServer, resourceText } from '../../../../src/host/tools/resources/serverResources.js';
import type { McpResourcePart } from '../../../../src/tools/mcp/config/mcpEntries.js';
import type { ManagerRow } from '../../../../src/protocol/panel/manager.js';
import { NO_TOOLS, toolboxOf } from '../../../support/engine/toolExecutor.js';
import { RunningClock, until } from '../../../support/host/clocks.js';
import { panelOf, type TestPanel } from '../../../support/host/panel.js';
import { lastAttempt } from '../../../support/host/reading.js';
import { useWindows, type Window } from '../../../support/host/window.js';

const TIDES: ResourceBase = { type: 'reference', name: 'demo://tides.md', serverName: 'docs' };
const KEY = 'resource:docs/demo://tides.md';
const text = (content: string): McpResourcePart => ({ uri: TIDES.name, mimeType: 'text/markdown', text: content });

class DocsServer implements ResourceServer {
  readonly name = 'docs';
  readonly identity = 'docs 1';
  status: ResourceServer['status'] = 'running';
  readonly signInState = 'none';
  lists = 0;
  reads = 0;
  answer: () => Promise<readonly McpResourcePart[]> = () => Promise.resolve([text('Low water at 10:25')]);

  listResources(): ReturnType<ResourceServer['listResources']> {
    this.lists += 1;
    return Promise.resolve([{ uri: TIDES.name, name: 'tides.md', title: null, description: null, mimeType: null, bytes: null }]);
  }

  readResource(): ReturnType<ResourceServer['readResource']> {
    this.reads += 1;
    return this.answer();
  }
}

describe('a resource of a server', () => {
  describe('as text', () => {
    it('has all its parts', () => {
      const read = resourceText('demo://a', [text('one'), text('two')]);
      assert.deepEqual(read, { ok: true, content: 'one\n\ntwo', bytes: 8 });
    });

    it('is refused when it is no text, or too large', () => {
      const blob: McpResourcePart = { uri: 'demo://a', mimeType: 'image/png', bytes: new Uint8Array(3) };
      for (const parts of [[blob], [text('one'), blob], [text('a\0b')]]) {
        const read = resourceText('demo://a', parts);
        assert.deepEqual(read.ok ? null : read.reason, 'demo://a is not a text file.');
      }
      const large = resourceText('demo://a', [text('x'.repeat(MAX_FILE_BYTES + 1))]);
      assert.deepEqual(large.ok ? null : large.reason, 'demo://a is too large (1.0 MB; limit 1 MB).');
      assert.equal(resourceText('demo://a', [text('x'.repeat(MAX_FILE_BYTES))]).ok, true);
    });
  });

  describe('in a chat', () => {
    const windows = useWindows();
    let server: DocsServer;
    let servers: ResourceServer[];
    let window: Window;
    let test: TestPanel;
    let session: ChatSession;

    const resources = (): ServerResources =>
      new ServerResources({ configured: () => Promise.resolve(), servers: () => servers, clock: new RunningClock() });

    const open = async (held: ServerResources): Promise<void> => {
      window = windows.open({ toolbox: { ...toolboxOf(NO_TOOLS), resources: held } });
      test = await panelOf(window, undefined);
      session = await test.shown.current();
    };

    beforeEach(async () => {
      server = new DocsServer();
      servers = [server];
      await open(resources());
      await session.context.add({ ...TIDES, includeMode: 'manual', addedHash: null, given: null });
    });

    const chip = (): unknown => test.webview.state.context.map(({ key, name, warning }) => [key, name, warning?.kind ?? null]);
    const sent = (): string => window.model.bodies.at(-1) ?? '';
    const recorded = (): string => JSON.stringify(lastAttempt(session.state).manifest.context);

    it('is not asked for before a message is sent, and then stands among the references', async () => {
      await until(() => test.webview.state.context.length === 1, 'the chip');
      assert.deepEqual(chip(), [[KEY, 'docs:demo://tides.md', 'unread']]);
      assert.equal(server.reads, 0, 'a preview asks no server');
      await session.conversation.send('When is low water?');
      assert.equal(server.reads, 1);
      assert.match(sent(), /# Reference: demo:\/\/tides\.md \(server docs\)\\n\\nLow water at 10:25/);
      await until(() => JSON.stringify(chip()) === JSON.stringify([[KEY, 'docs:demo://tides.md', null]]), 'the chip of what was read');
    });

    it('is not looked for while the user types, where its server does not run', async () => {
      const found = resources();
      server.status = 'stopped';
      await found.refresh(() => undefined);
      assert.equal(server.lists, 0);
      server.status = 'running';
      await found.refresh(() => undefined);
      assert.equal(server.lists, 1);
    });

    it('is as it is when the message is sent, and what was sent is rebuilt to the byte', async () => {
      await session.conversation.send('When is low water?');
      const first = { id: lastAttempt(session.state).id, body: sent() };
      server.answer = () => Promise.resolve([text('Low water at 11:02')]);
      await session.conversation.send('And now?');
      assert.match(sent(), /Low water at 11:02/);
      assert.equal((await session.records.request(first.id)).rebuilt.body, first.body);
      assert.equal((await session.records.request(lastAttempt(session.state).id)).rebuilt.body, sent());
    });

    it('is left out with the reason when it cannot be read', async () => {
      const reasons: string[] = [];
      const failures: (() => Promise<readonly McpResourcePart[]>)[] = [
        () => Promise.reject(failure('mcp.refusedCall', { name: 'docs', words: 'Resource not found' })),
        () => Promise.resolve([{ uri: TIDES.name, mimeType: 'image/png', bytes: new Uint8Array(3) }]),
      ];
      for (const answer of failures) {
        server.answer = answer;
        await session.conversation.send('When is low water?');
        assert.doesNotMatch(sent(), /# Reference/);
        reasons.push(recorded());
      }
      servers = [];
      await session.conversation.send('And without a server?');
      reasons.push(recorded());
      assert.match(reasons[0] ?? '', /"serverFailed","text":"The server \\"docs\\" answered with an error: Resource not found\."/);
      assert.match(reasons[1] ?? '', /"code":"binary"/);
      assert.match(reasons[2] ?? '', /The server \\"docs\\" is not configured any more\./);
    });

    it('is there after the window was opened again, and read with the next message', async () => {
      await session.conversation.send('When is low water?');
      await window.chats.close();
      const { id } = session;
      await open(resources());
      session = await window.chats.open(id);
      await session.conversation.send('And now?');
      assert.equal(server.reads, 2);
      assert.match(sent(), /Low water at 10:25/);
    });

    it('has a row among the references of the manager, without a mode: only the user adds it', async () => {
      await test.say({
        ...{ type: 'showRows', chips: false, nextRequest: false, contextUsed: [] },
        manager: { search: '', open: ['reference'], servers: [], proof: null, rows: {} },
      });
      const rows = (): readonly ManagerRow[] => test.webview.state.manager?.sections.find(({ type }) => type === 'reference')?.rows ?? [];
      await until(() => rows().length === 1, 'the row');
      const [row] = rows();
      assert.deepEqual(
        [row?.key, row?.source, row?.includeMode, row?.note],
        [KEY, 'docs', null, 'Loupe reads demo://tides.md from its server when you send a message.'],
      );
    });

    it('leaves when it is taken out, and can be added again', async () => {
      await session.conversation.send('When is low water?');
      await session.changeConfig({ layout: 'plain' });
      await test.say({ type: 'removeItems', chatId: session.id, keys: [KEY] });
      assert.equal(session.state.context.size, 0);
      await session.conversation.send('And without it?');
      assert.doesNotMatch(sent(), /# Reference/);
      await session.context.add({ ...TIDES, includeMode: 'manual', addedHash: null, given: null });
      await session.conversation.send('And with it?');
      assert.match(sent(), /# Reference/);
    });

    it('is found by its key as long as its server is configured', () => {
      assert.deepEqual(resources().named(KEY), TIDES);
      assert.equal(resources().named('resource:other/demo://tides.md'), null);
    });
  });
});
