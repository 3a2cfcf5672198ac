import assert from 'node:assert/strict';
import { until } from '../../support/host/clocks.js';
import { openPanel } from '../../support/host/panel.js';
import { useWindows } from '../../support/host/window.js';

describe('the session files and fragments in Manage context', () => {
  const windows = useWindows();

  it('are shown with name, type and tokens, edited and deleted, with Undo for a file', async () => {
    const test = openPanel(windows.open({}), { currentChat: undefined });
    await test.say({ type: 'ready' });
    const session = await test.shown.current();
    const manager = { search: '', open: [], servers: [], proof: null };
    await test.say({ type: 'showRows', chips: false, nextRequest: false, contextUsed: [], manager });
    await session.files.putFileContent('plan.md', { bytes: Buffer.from('# Plan'), mimeType: null, summary: null });
    await session.fragments.set('style', 'Write in rhymes.');
    const shown = () => test.webview.state.chatTexts;
    await until(() => shown()?.fragments.length === 1, 'both on show');
    assert.deepEqual(
      shown()?.files.map(({ name, mimeType, summary, tokens }) => [name, mimeType, summary, (tokens ?? 0) > 0]),
      [['plan.md', 'text/markdown', 'Plan', true]],
    );
    await test.say({ type: 'setFragment', chatId: session.id, id: 'style', text: 'Write plainly.' });
    await test.say({ type: 'deleteSessionFile', chatId: session.id, name: 'plan.md' });
    await until(() => shown()?.files.length === 0, 'the file is gone');
    assert.equal(shown()?.fragments[0]?.text, 'Write plainly.');
    assert.equal(test.webview.state.banners[0]?.text, 'plan.md was deleted from this chat.');
    await test.say({ type: 'bannerAction', bannerId: 'contextRemoved', action: 'undoRemove', argument: session.id });
    await until(() => shown()?.files.length === 1, 'the file is back');
    assert.equal(Buffer.from(await session.files.getFileContent('plan.md')).toString(), '# Plan');
    await test.say({ type: 'removeFragment', chatId: session.id, id: 'style' });
    await until(() => shown()?.fragments.length === 0, 'the fragment is gone');
  });
});
