import assert from 'node:assert/strict';
import { manifestBlocksOf } from '../../../src/engine/request/rebuild.js';
import { usageExport } from '../../../src/host/usage/usageExport.js';
import { UsageRows } from '../../../src/host/usage/usageRows.js';
import { chatAmongFiles } from '../../support/host/filesInChat.js';
import { NO_OTHERS, openUsage } from '../../support/host/openUsage.js';
import { lastAttempt } from '../../support/host/reading.js';
import { useWindows, type Window } from '../../support/host/window.js';

const FILES = {
  '.loupe/rules/fixed.md': '---\nname: Fixed\ninclude: always\n---\nTimes are local.',
  '.loupe/rules/off.md': '---\nname: Off\ninclude: agent\nenabled: false\n---\nNever.',
  'src/tides.ts': 'export const high = 4.2;\n',
};

describe('what an export of usage says of each request', () => {
  const windows = useWindows();

  async function exported(window: Window): Promise<ReadonlyMap<unknown, Record<string, unknown>>> {
    const { view } = openUsage(window, new UsageRows(window.chats), NO_OTHERS);
    await view.show(null);
    const text = Buffer.from(await usageExport(await view.exported('all'), 'json')).toString('utf8');
    view.dispose();
    const rows = JSON.parse(text) as readonly Record<string, unknown>[];
    return new Map(
      rows.map(({ attempt_id: id, ...row }) => [
        id,
        Object.fromEntries(Object.entries(row).filter(([name]) => name.startsWith('context_'))),
      ]),
    );
  }

  it('is what its record holds, in the window that sent it and in another, and nothing once its chat is deleted', async () => {
    const { session, window } = await chatAmongFiles(windows, FILES, {});
    await session.addContext({ type: 'file', name: 'src/tides.ts', includeMode: 'manual', addedHash: null, given: null });
    await session.conversation.send('When is the tide high?');
    const attempt = lastAttempt(session.state);
    const columns = (await exported(window)).get(attempt.id);
    const { context_rules: rules, context_files: files, context_skills: skills, context_not_selected: left } = columns ?? {};
    assert.deepEqual([rules, files, skills, left], [1, 1, 0, 1]);
    const blocks = manifestBlocksOf(attempt, session.state.attempts) ?? assert.fail('The record is damaged.');
    for (const category of ['system', 'rules', 'files', 'conversation'] as const) {
      const tokens = blocks.reduce((sum, block) => sum + (block.category === category ? block.tokens : 0), 0);
      assert.ok(tokens > 0, category);
      assert.equal(columns?.[`context_${category}_tokens`], tokens, category);
    }
    const other = windows.open({ writerId: 'other' });
    assert.deepEqual((await exported(other)).get(attempt.id), columns);
    await window.chats.delete(session.id);
    const deleted = (await exported(window)).get(attempt.id) ?? assert.fail('A deleted chat keeps its usage.');
    assert.deepEqual([...new Set(Object.values(deleted))], [null]);
  });
});
