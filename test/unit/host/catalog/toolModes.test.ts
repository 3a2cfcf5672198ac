import assert from 'node:assert/strict';
import { contextRecordsOf } from '../../../../src/engine/request/rebuild.js';
import type { Tool } from '../../../../src/engine/tools/tool.js';
import type { ChatSession } from '../../../../src/host/chat/chatSession.js';
import { chatAmongFiles } from '../../../support/host/filesInChat.js';
import { lastAttempt } from '../../../support/host/reading.js';
import { EchoServer, toolboxWith, toolNamed } from '../../../support/host/toolServer.js';
import { useWindows } from '../../../support/host/window.js';

const tool = (name: string, description: string): Tool => ({ ...toolNamed(name), description });

/** A realistic server: tools that read and write tables, and one that draws. */
function sheets(): EchoServer {
  const server = new EchoServer('sheets');
  server.tools = [
    tool('draw_chart', 'Draws a chart of harbour levels.'),
    tool('read_table', 'Reads a spreadsheet.'),
    tool('write_table', 'Writes a spreadsheet.'),
  ];
  return server;
}

const profile = (lines: string): Readonly<Record<string, string>> => ({
  '.loupe/agents/clerk.md': `---\nname: Clerk\n${lines}---\nYou keep the books.`,
});

describe('the modes of tools', () => {
  const windows = useWindows();

  async function open(lines: string): Promise<{ readonly session: ChatSession; readonly wire: () => readonly string[] }> {
    const toolbox = toolboxWith([sheets()], windows.folder);
    const { window, session } = await chatAmongFiles(windows, profile(lines), { toolbox, config: { agent: 'Clerk' } });
    const wire = (): readonly string[] => {
      const body = JSON.parse(window.model.bodies.at(-1) ?? '') as { readonly tools?: readonly { readonly name: string }[] };
      return (body.tools ?? []).map(({ name }) => name);
    };
    return { session, wire };
  }

  const leftOut = ({ state }: ChatSession): unknown =>
    (contextRecordsOf(lastAttempt(state), state.attempts) ?? []).flatMap(({ item, leftOut: reason }) =>
      reason === null ? [] : [[item.name, reason.code]],
    );

  it('are those of the server, where the agent says nothing: all of its tools reach the wire', async () => {
    const { session, wire } = await open('');
    await session.conversation.send('Hello');
    assert.deepEqual(wire(), ['sheets__draw_chart', 'sheets__read_table', 'sheets__write_table']);
  });

  it('are those of the tool, else of its server, as the agent has them', async () => {
    const { session, wire } = await open('tools:\n  sheets: manual\n  sheets:read_table: always\n  sheets:write_table: off\n');
    await session.conversation.send('Hello');
    assert.deepEqual(wire(), ['sheets__read_table']);
    assert.deepEqual(leftOut(session), [
      ['draw_chart', 'notAdded'],
      ['write_table', 'disabled'],
    ]);
    await session.context.add({
      ...{ type: 'tool', name: 'draw_chart', serverName: 'sheets' },
      ...{ includeMode: 'manual', addedHash: null, given: null },
    });
    await session.conversation.send('Hello again');
    assert.deepEqual(wire(), ['sheets__draw_chart', 'sheets__read_table']);
  });

  it('pick a tool for the message that it fits, with its score, and leave it out of the next one', async () => {
    const { session, wire } = await open('tools:\n  sheets: agent\n');
    await session.conversation.send('Draw me a chart of the harbour levels');
    assert.deepEqual(wire(), ['sheets__draw_chart']);
    const [picked] = contextRecordsOf(lastAttempt(session.state), session.state.attempts) ?? [];
    assert.equal(picked?.item.includeMode, 'agent');
    assert.ok((picked.item.similarityScore ?? 0) >= 0.3, 'its score is recorded');
    assert.deepEqual(leftOut(session), [
      ['read_table', 'belowScore'],
      ['write_table', 'belowScore'],
    ]);
    await session.conversation.send('Paint the lighthouse white');
    assert.deepEqual(wire(), []);
  });
});
