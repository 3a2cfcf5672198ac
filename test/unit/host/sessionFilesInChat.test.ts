import assert from 'node:assert/strict';
import { join } from 'node:path';
import { SESSION_FILE_TOOLS } from '../../../src/host/tools/workspace/sessionFileTools.js';
import { WorkspaceServer } from '../../../src/host/tools/workspace/workspaceServer.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { messages } from '../../support/host/reading.js';
import { toolboxWith } from '../../support/host/toolServer.js';
import { useWindows, type Window, type WindowOptions } from '../../support/host/window.js';

const LIST =
  'Files can be read/written as required. Create new files conservatively, usually when complex content is requested. ' +
  'Use base64 for binary (image,pdf), ascii for text formats (html,markdown). Available files:\nname,type,summary\n';

const call = (tool: string, args: object): string => `/tool ${tool} ${JSON.stringify(args)}`;

describe('session files in a chat', () => {
  const windows = useWindows();

  const open = async (options: WindowOptions): Promise<{ readonly window: Window; readonly session: ChatSession }> => {
    const own = new WorkspaceServer([], SESSION_FILE_TOOLS);
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
});
