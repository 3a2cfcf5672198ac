import assert from 'node:assert/strict';
import { join } from 'node:path';
import { lastRun } from '../../../src/engine/chat/branch.js';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { SESSION_FILE_TOOLS } from '../../../src/host/tools/workspace/sessionFileTools.js';
import { WorkspaceServer } from '../../../src/host/tools/workspace/workspaceServer.js';
import { until } from '../../support/host/clocks.js';
import { scriptedHouse } from '../../support/host/scriptedHouse.js';
import { toolboxWith } from '../../support/host/toolServer.js';
import { useWindows } from '../../support/host/window.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const FILES = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.ts`);

describe('content deduplication of file tool calls', () => {
  const windows = useWindows();

  const open = async (config: Partial<ChatConfig>) => {
    const house = await scriptedHouse('openai-compatible', { images: true });
    const own = new WorkspaceServer([], SESSION_FILE_TOOLS, () => []);
    const toolbox = toolboxWith([own], join(windows.folder, 'allowed'));
    const window = windows.open({ toolbox, sources: [house.source], config: { model: house.large, compaction: 'off', ...config } });
    const session = await window.chats.create();
    const put = (name: string, bytes: Uint8Array): Promise<void> =>
      session.files.putFileContent(name, { bytes, mimeType: null, summary: null });
    let calls = 0;
    const reads = (name: string): void => {
      calls += 1;
      house.replies.push([{ call: 'get_session_file', id: `c${calls}`, args: { name } }]);
    };
    return { house, session, put, reads };
  };

  it('the initial response is a large data URL, overwritten to the compact file+session://./chart.png', async () => {
    const { house, session, put, reads } = await open({ layout: 'plain' });
    await put('chart.png', Buffer.from(PNG, 'base64'));
    reads('chart.png');
    await session.conversation.send('Show the chart.');
    await session.conversation.send('Thanks.');
    const held = house.bodies.map((body) => [body.includes(`data:image/png;base64,${PNG}`), body.includes('file+session://./chart.png')]);
    assert.deepEqual(held, [
      [false, false],
      [true, false],
      [false, true],
    ]);
  });

  it('the same image read again in the turn is a pointer, so the data URL is sent once', async () => {
    const { house, session, put, reads } = await open({});
    await put('chart.png', Buffer.from(PNG, 'base64'));
    await put('other.txt', Buffer.from('x'));
    reads('chart.png');
    reads('other.txt');
    reads('chart.png');
    await session.conversation.send('Show the chart.');
    const last = house.bodies.at(-1) ?? '';
    assert.equal(last.split('data:image/png;base64,').length - 1, 1);
    assert.ok(last.includes('[The same as result 1 of get_session_file'));
  });

  it('a loop of 30 steps that reads the same five files has at most half of the input', async () => {
    const inputs = await Promise.all(
      (['references', 'full'] as const).map(async (repeatedContent) => {
        const { session, put, reads } = await open({ repeatedContent });
        for (const name of FILES) {
          await put(name, Buffer.from(`export const ${name.slice(0, 1)} = 'a line of the file';\n`.repeat(150)));
        }
        for (let step = 0; step < 30; step += 1) {
          reads(FILES[step % FILES.length] ?? '');
        }
        const sending = session.conversation.send('Read the files.');
        await until(() => lastRun(session.state)?.question?.goesOn === null, 'the question after 25 steps');
        await session.answers.goOn(true);
        await sending;
        const requests = [...session.state.attempts.values()].filter(({ purpose }) => purpose === 'reply');
        assert.equal(requests.length, 31);
        return requests.reduce((sum, { manifest }) => sum + manifest.size.tokens, 0);
      }),
    );
    const [references, full] = inputs;
    assert.ok(references! <= full! / 2, `${String(references)} of ${String(full)} tokens`);
  });
});
