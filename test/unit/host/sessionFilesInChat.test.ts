import assert from 'node:assert/strict';
import { join } from 'node:path';
import { SESSION_FILE_TOOLS, sessionFileCall } from '../../../src/host/tools/workspace/sessionFileTools.js';
import { WorkspaceServer } from '../../../src/host/tools/workspace/workspaceServer.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { messages } from '../../support/host/reading.js';
import { toolboxWith } from '../../support/host/toolServer.js';
import { MemorySessionFiles } from '../../support/host/memorySessionFiles.js';
import { UNSTOPPED } from '../../support/host/ownTools.js';
import { WORKSPACE_SERVER } from '../../../src/engine/tools/serverName.js';
import { withCapabilities } from '../../support/engine/models.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { useWindows, type Window, type WindowOptions } from '../../support/host/window.js';

const LIST =
  'Files can be read/written as required. Create new files conservatively, usually when complex content is requested. ' +
  'Use base64 for binary (image,pdf), ascii for text formats (html,markdown). Available files:\nname,type,summary\n';

const call = (tool: string, args: object): string => `/tool ${tool} ${JSON.stringify(args)}`;

describe('session files in a chat', () => {
  const windows = useWindows();

  const open = async (options: WindowOptions): Promise<{ readonly window: Window; readonly session: ChatSession }> => {
    const own = new WorkspaceServer([], SESSION_FILE_TOOLS, () => []);
    const window = windows.open({ toolbox: toolboxWith([own], join(windows.folder, 'allowed')), ...options });
    return { window, session: await window.chats.create() };
  };

  const results = ({ state }: ChatSession): string[] =>
    messages(state).flatMap((message) =>
      message.role === 'tool-results'
        ? message.parts.flatMap(({ content }) => content.map((item) => (item.type === 'text' ? item.text : item.type)))
        : [],
    );

  const systemPrompt = async (session: ChatSession): Promise<string> =>
    (await session.next.preview({ text: 'Next', editing: null })).prompt.system
      .map(({ part }) => ('text' in part ? part.text : ''))
      .join('');

  it('a model writes one without a question, the next request lists it, and the request after the edit of the user carries the edit', async () => {
    const { session } = await open({});
    assert.ok(!(await systemPrompt(session)).includes('Available files'), 'no tokens without files');
    await session.conversation.send(call('put_session_file', { name: 'notes/plan.md', content: '# Plan, first\n\nOne.' }));
    assert.deepEqual(results(session), ['Wrote notes/plan.md.']);
    assert.ok((await systemPrompt(session)).includes(`${LIST}notes/plan.md,text/markdown,"Plan, first"\n`));
    await session.files.putFileContent('notes/plan.md', { bytes: Buffer.from('# Second plan\n\nTwo.'), mimeType: null, summary: null });
    await session.conversation.send(call('get_session_file', { name: 'notes/plan.md' }));
    assert.equal(results(session).at(-1), '# Second plan\n\nTwo.');
    assert.equal((await systemPrompt(session)).split('notes/plan.md,text/markdown,Second plan\n').length, 2);
  });

  it('are listed and deleted by tools, which say why they refuse', async () => {
    const { session } = await open({});
    const calls = [
      call('list_session_files', {}),
      call('put_session_file', { name: '../a.txt', content: 'One' }),
      call('put_session_file', { name: 'a.png', content: 'no Base64!' }),
      call('put_session_file', { name: 'a.txt', content: 'a\uD83Db' }),
      call('put_session_file', { name: 'a.txt', content: 'One', summary: 'First,\nsecond' }),
      call('list_session_files', {}),
      call('delete_session_file', { name: 'a.txt' }),
      call('get_session_file', { name: 'a.txt' }),
    ];
    await session.conversation.send(calls.join('\n'));
    assert.deepEqual(results(session), [
      'There are no session files.',
      'The arguments do not fit the tool. name: The path "../a.txt" contains "..". Use a path inside the workspace.',
      'The content is not Base64, which the type image/png needs.',
      'The arguments do not fit the tool. content: The text has half of a character (U+D83D). Send the whole character.',
      'Wrote a.txt.',
      'name,type,summary\na.txt,text/plain,"First, second"\n',
      'Deleted a.txt.',
      'The chat has no session file "a.txt".',
    ]);
  });

  const LONG = 'A line of the plan.\n'.repeat(40);
  const REFERENCE = 'file+session://./plan.md';

  /** The results in a request, in full or as references. */
  const sentResults = async ({ session }: { readonly session: ChatSession }, text: string): Promise<string[]> =>
    (await session.next.preview({ text, editing: null })).prompt.messages
      .flatMap(({ blocks }) => blocks)
      .flatMap(({ part }) =>
        part.type === 'toolResult' ? part.content.map((item) => (item.type === 'text' ? item.text : item.type)) : [],
      );

  const bodies = ({ model }: Window): string[] =>
    model.bodies.map((body) => (body.includes(JSON.stringify(LONG).slice(1, -1)) ? 'full' : 'reference'));

  it('a read after an edit of the user gives the edit once, as the difference to what the model wrote', async () => {
    const { window, session } = await open({});
    await session.conversation.send(call('put_session_file', { name: 'plan.md', content: `${LONG}${LONG}Ask Ada.\n` }));
    await session.files.putFileContent('plan.md', { bytes: Buffer.from(`${LONG}${LONG}Ask Grace.\n`), mimeType: null, summary: null });
    await session.conversation.send(call('get_session_file', { name: 'plan.md' }));
    const body = window.model.bodies.at(-1) ?? '';
    const shown = results(session).at(-1);
    assert.equal(shown, `${LONG}${LONG}Ask Grace.\n`, 'the log has the full text');
    assert.deepEqual([body.split('Ask Grace').length - 1, body.split('+Ask Grace.').length - 1], [1, 1]);
    assert.ok(body.includes('The same as the content in your call 1 of put_session_file'));
  });

  for (const layout of ['plain', 'message-70', 'tiered'] as const) {
    it(`a read gives the full content in its turn, and its reference in every later request: ${layout}`, async () => {
      const { window, session } = await open({ config: { layout, cacheMode: 'cached' } });
      await session.files.putFileContent('plan.md', { bytes: Buffer.from(LONG), mimeType: null, summary: null });
      await session.conversation.send(call('get_session_file', { name: 'plan.md' }));
      assert.deepEqual(bodies(window), ['reference', 'full'], 'in the step after the call');
      assert.deepEqual(await sentResults({ session }, 'Next'), [REFERENCE]);
      await session.conversation.send('/long 1');
      assert.deepEqual(bodies(window).slice(2), ['reference']);
      assert.equal(window.model.bodies.at(-1)?.includes(REFERENCE), true);
      await session.conversation.send('/long 1');
      const replies = messages(session.state).filter(({ role }) => role === 'assistant');
      for (const [at, reply] of replies.entries()) {
        assert.equal((await session.records.request(reply.id)).rebuilt.body, window.model.bodies[at], 'each is rebuilt byte for byte');
      }
    });
  }

  it('a read stays carried in adaptive until the prompt is rebuilt', async () => {
    const { window, session } = await open({ config: { layout: 'adaptive', cacheMode: 'cached' } });
    await session.files.putFileContent('plan.md', { bytes: Buffer.from(LONG), mimeType: null, summary: null });
    // So much follows in the cache that a rebuild would cost more than it saves.
    const later = call('put_session_file', { name: 'later.md', content: 'Another line.\n'.repeat(300) });
    await session.conversation.send([call('get_session_file', { name: 'plan.md' }), later].join('\n'));
    await session.conversation.send('/long 1');
    assert.deepEqual(bodies(window).slice(1), ['full', 'full', 'full']);
    const held = (await session.next.preview({ text: 'Next', editing: null })).prompt.messages.flatMap(({ blocks }) => blocks);
    assert.deepEqual(
      held.filter(({ part }) => part.type === 'toolResult').map(({ form }) => form),
      ['carried', 'full'],
    );
    await session.context.rebuildLayout();
    assert.deepEqual(await sentResults({ session }, 'Next'), [REFERENCE, 'Wrote later.md.']);
    await session.conversation.send('/long 1');
    await session.conversation.send('/long 1');
    assert.deepEqual(bodies(window).slice(4), ['reference', 'reference']);
  });

  it('an image is given to the model as an image, and later as its reference', async () => {
    const { session } = await open({ config: { layout: 'plain' } });
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    await session.conversation.send(
      call('put_session_file', { name: 'chart.png', content: `data:image/png;base64,${png.toString('base64')}` }),
    );
    assert.deepEqual(Buffer.from(await session.files.getFileContent('chart.png')), png);
    await session.conversation.send(call('get_session_file', { name: 'chart.png' }));
    assert.equal(results(session).at(-1), 'image');
    assert.equal((await sentResults({ session }, 'Next')).at(-1), 'file+session://./chart.png');
  });

  it('bytes that are no image are not given to the model as an image', async () => {
    const { session } = await open({});
    const content = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0, 0xff).toString('base64');
    const calls = [call('put_session_file', { name: 'chart.png', content }), call('get_session_file', { name: 'chart.png' })];
    await session.conversation.send(calls.join('\n'));
    assert.equal(results(session).at(-1), 'chart.png is not a complete image.');
  });

  it('a content of 50 MB is refused with the reason, as text and as Base64', async () => {
    const put = sessionFileCall({ name: WORKSPACE_SERVER }, 'put_session_file', new MemorySessionFiles());
    const content = 'A'.repeat(50 * 1024 * 1024);
    for (const [name, size] of [
      ['a.txt', '50 MB'],
      ['a.png', '38 MB'],
    ] as const) {
      const reason = `The session file "${name}" is too large: ${size} (limit 5 MB). Keep it as a file of the workspace.`;
      assert.deepEqual((await put?.({ name, content }, UNSTOPPED))?.content, [{ type: 'text', text: reason }]);
    }
  });

  for (const [what, content] of [
    ['right-to-left and zero-width characters', 'a\u202Eb\u200B\u{E0041}\uFEFFc\n'],
    ['a byte order mark and line ends of Windows', '\uFEFFOne\r\nTwo\r\n'],
  ] as const) {
    it(`round-trips ${what}`, async () => {
      const { session } = await open({});
      const calls = [call('put_session_file', { name: 'a.txt', content }), call('get_session_file', { name: 'a.txt' })];
      await session.conversation.send(calls.join('\n'));
      assert.deepEqual(results(session), ['Wrote a.txt.', content]);
    });
  }

  it('a read has the type of the file that was read, even if the file is deleted meanwhile', async () => {
    class DeletedMeanwhile extends MemorySessionFiles {
      override async getFileContent(name: string): Promise<Uint8Array> {
        const bytes = await super.getFileContent(name);
        await this.deleteFile(name);
        return bytes;
      }
    }
    const files = new DeletedMeanwhile();
    await files.putFileContent('plan.md', { bytes: Buffer.from('# Plan'), mimeType: null, summary: null });
    const read = sessionFileCall({ name: WORKSPACE_SERVER }, 'get_session_file', files);
    const outcome = await read?.({ name: 'plan.md' }, UNSTOPPED);
    assert.deepEqual(outcome?.content, [{ type: 'text', text: '# Plan' }]);
  });

  it('are not listed in requests without the tool that reads them', async () => {
    for (const [name, options] of Object.entries<WindowOptions>({
      'tools are off': { config: { workspaceTools: 'off' } },
      'the model takes no tools': { models: [withCapabilities(PRACTICE_STANDARD, { tools: false })] },
      'no server': { toolbox: toolboxWith([], join(windows.folder, 'allowed')) },
    })) {
      const { session } = await open(options);
      await session.files.putFileContent('plan.md', { bytes: Buffer.from('# Plan'), mimeType: null, summary: null });
      assert.ok(!(await systemPrompt(session)).includes('plan.md'), name);
    }
  });
});
