import assert from 'node:assert/strict';
import { itemUses } from '../../../src/engine/context/use/itemUses.js';
import type { SessionContextItem } from '../../../src/engine/record/item.js';
import { manifestContentOf } from '../../../src/engine/request/rebuild.js';
import { usableItems } from '../../../src/host/request/usableItems.js';
import { editLine, MemoryWriter, onlyEditFile } from '../../support/host/editFile.js';
import { chatAmongFiles } from '../../support/host/filesInChat.js';
import { panelOf, type TestPanel } from '../../support/host/panel.js';
import { lastAttempt } from '../../support/host/reading.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

const file = (name: string): SessionContextItem => ({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null });

describe('what a turn used', () => {
  const windows = useWindows();

  /** A panel with the tool that edits files. */
  async function panelAmong(texts: Readonly<Record<string, string>>): Promise<TestPanel> {
    const files = new MemoryFiles();
    for (const [path, text] of Object.entries(texts)) {
      files.texts.set(path, text);
    }
    return panelOf(windows.open({ files, toolbox: onlyEditFile(files, new MemoryWriter(files)) }), undefined);
  }

  it('is shown at the reply that ended it: edits of all its steps, and names in texts', async () => {
    const test = await panelAmong({ 'src/a.ts': 'one\n', 'src/b.ts': 'b\n' });
    const session = await test.shown.current();
    await session.context.add(file('src/a.ts'));
    await session.context.add(file('src/b.ts'));
    await session.context.add({ ...file('src/a.ts:1-1'), given: { inline: 'one' } });
    await session.conversation.send(editLine('src/a.ts', 'one', 'two'));
    const { entries, replyUses } = test.snapshot();
    const replies = entries.filter(({ kind }) => kind === 'assistant').map(({ id }) => id);
    assert.deepEqual([replies.length, Object.keys(replyUses)], [2, replies.slice(-1)]);
    const uses = [
      { how: 'edited', where: 'src/a.ts' },
      { how: 'named', where: 'src/a.ts' },
    ];
    assert.deepEqual(Object.values(replyUses), [{ items: 3, tools: 0, uses: { 'file:src/a.ts': uses, 'file:src/a.ts:1-1': uses } }]);
  });

  it('is not shown of a request without items', async () => {
    const test = await panelAmong({});
    const session = await test.shown.current();
    await session.conversation.send('src/a.ts');
    assert.deepEqual(test.snapshot().replyUses, {});
  });

  it('can be a quote of a rule, but not of the heading that Loupe puts above it', async () => {
    const texts = { 'AGENTS.md': 'Each answer names the station and the datum.\n' };
    const { session } = await chatAmongFiles(windows, texts, {});
    await session.conversation.send('/long 2');
    const { attempts } = session.state;
    const items = usableItems(manifestContentOf(lastAttempt(session.state), attempts)!);
    const [rule] = items;
    assert.deepEqual([items.length, rule?.key, rule?.text?.text.trim()], [1, 'rule:AGENTS.md', texts['AGENTS.md'].trim()]);
    const reply = { texts: ['Yes: each answer names the station and the datum.'], calls: [], edited: [] };
    assert.deepEqual(itemUses(items, reply).get('rule:AGENTS.md'), [
      { how: 'quoted', where: 'each answer names the station and the datum' },
    ]);
  });
});
