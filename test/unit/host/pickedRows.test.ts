import assert from 'node:assert/strict';
import { openPanel } from '../../support/host/panel.js';
import { until } from '../../support/host/clocks.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

describe('the message box', () => {
  const windows = useWindows();

  it('shows what Loupe picks for its text, with score and tokens, and shows it no more for another text', async () => {
    const files = new MemoryFiles();
    files.texts.set(
      '.loupe/rules/tides.md',
      '---\nname: Tides\ndescription: Predicted heights of tides\ninclude: agent\n---\nUse the tables.',
    );
    const test = openPanel(windows.open({ files }), { currentChat: undefined });
    await test.say({ type: 'ready' });
    const { id: chatId } = await test.shown.current();
    const rows = () => test.webview.state.withMessage;
    await test.say({ type: 'draft', chatId, text: 'How are the tides predicted?', edit: 1 });
    await until(() => rows().length > 0, 'the picked rule');
    const [row] = rows();
    assert.deepEqual([row?.key, row?.kind, row?.name, rows().length], ['pick:rule:Tides', 'pick', 'Tides', 1]);
    assert.ok((row?.score ?? 0) > 0.5 && (row?.tokens ?? 0) > 0, JSON.stringify(row));
    await test.say({ type: 'draft', chatId, text: 'Fix the code', edit: 2 });
    await until(() => rows().length === 0, 'no picked rule');
  });
});
