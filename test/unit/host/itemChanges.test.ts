import assert from 'node:assert/strict';
import { itemChanges } from '../../../src/engine/next/itemChanges.js';
import type { SessionContextItem } from '../../../src/engine/record/item.js';
import type { NextRequestRows } from '../../../src/protocol/panel/requestRows.js';
import { until } from '../../support/host/clocks.js';
import { chatAmongFiles } from '../../support/host/filesInChat.js';
import { readyPanel } from '../../support/host/panel.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

const file = (name: string): SessionContextItem => ({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null });

describe('what has changed since the last request', () => {
  const windows = useWindows();

  for (const layout of ['adaptive', 'plain'] as const) {
    it(`is shown before sending: changed and deleted items, and nothing after they were sent (${layout})`, async () => {
      const files = new MemoryFiles();
      files.texts.set('src/a.ts', 'one\n');
      files.texts.set('src/b.ts', 'one\n');
      files.texts.set('src/same.ts', 'one\n');
      const { panel, session, webview, say } = await readyPanel(windows.open({ files, config: { layout } }));
      for (const name of ['src/a.ts', 'src/b.ts', 'src/same.ts']) {
        await session.context.add(file(name));
      }
      const changes = (): NextRequestRows['changes'] | undefined => webview.state.nextRequestRows?.changes;
      const chips = (): unknown => webview.state.context.map(({ name, warning }) => [name, warning?.kind ?? null]);
      await session.conversation.send('/long 1');
      await say({ type: 'showRows', chips: true, nextRequest: true, contextUsed: [], manager: null });
      await until(() => changes() !== undefined, 'the next request is shown');
      assert.deepEqual(changes(), {});
      files.texts.set('src/a.ts', 'one\ntwo\nthree\n');
      files.texts.delete('src/b.ts');
      panel.requestChanged();
      await until(() => Object.keys(changes() ?? {}).length === 2, 'two items have changed');
      const change = changes()?.['file:src/a.ts'];
      assert.ok(change?.kind === 'changed' && change.tokens > 0, JSON.stringify(change));
      assert.deepEqual(changes()?.['file:src/b.ts'], { kind: 'deleted' });
      assert.deepEqual(chips(), [
        ['src/a.ts', 'changed'],
        ['src/b.ts', 'deleted'],
        ['src/same.ts', null],
      ]);
      await session.conversation.send('/long 1');
      await until(() => Object.keys(changes() ?? {}).length === 0, 'the changes are sent');
      assert.deepEqual(chips(), [
        ['src/a.ts', null],
        ['src/b.ts', 'missing'],
        ['src/same.ts', null],
      ]);
      files.texts.set('src/a.ts', 'one\n');
      panel.requestChanged();
      await until(() => changes()?.['file:src/a.ts'] !== undefined, 'it has changed again');
    });
  }

  it('is a long rule with another text, and not one with another place', async () => {
    const long = 'Heights are metres. '.repeat(1_000);
    const texts = { 'AGENTS.md': long, '.loupe/references/api.md': 'The stations.' };
    const { session, files } = await chatAmongFiles(windows, texts, { config: { layout: 'plain' } });
    await session.conversation.send('/long 1');
    await session.context.add({ type: 'reference', name: '.loupe/references/api.md', includeMode: 'manual', addedHash: null, given: null });
    const changes = async () => itemChanges(await session.next.preview({ text: '', editing: null }), session.state);
    assert.deepEqual([...(await changes()).keys()], []);
    files.texts.set('AGENTS.md', `${long}Times are UTC.`);
    assert.deepEqual([...(await changes()).keys()], ['rule:AGENTS.md']);
  });

  for (const layout of ['adaptive', 'plain', 'tiered'] as const) {
    it(`is not a rule that only has another place in the system prompt (${layout})`, async () => {
      const texts = { 'AGENTS.md': 'Heights are metres.', '.loupe/references/api.md': 'The stations.' };
      const { session, files } = await chatAmongFiles(windows, texts, { config: { layout } });
      await session.conversation.send('/long 1');
      await session.context.add({
        type: 'reference',
        name: '.loupe/references/api.md',
        includeMode: 'manual',
        addedHash: null,
        given: null,
      });
      const changes = async () => itemChanges(await session.next.preview({ text: '', editing: null }), session.state);
      assert.deepEqual([...(await changes()).keys()], []);
      await session.conversation.send('/long 1');
      files.texts.delete('.loupe/references/api.md');
      assert.deepEqual([...(await changes())], [['reference:.loupe/references/api.md', { kind: 'deleted' }]]);
      files.texts.set('AGENTS.md', 'Heights are feet.');
      assert.deepEqual([...(await changes()).keys()], ['reference:.loupe/references/api.md', 'rule:AGENTS.md']);
      await session.conversation.send('/long 1');
      const rebuilt = await session.next.previewAs((state) => ({ ...state, relayoutAsked: true }), null);
      assert.deepEqual([...itemChanges(rebuilt, session.state).keys()], []);
    });
  }
});
