import assert from 'node:assert/strict';
import { readyPanel } from '../../support/host/panel.js';
import { useWindows } from '../../support/host/window.js';

describe('the images of a paste', () => {
  const windows = useWindows();

  it('have rows in the panel before Loupe reports that they are added', async () => {
    const { session, drafts, webview, say } = await readyPanel(windows.open({}));
    await say({ type: 'readingImages', chatId: session.id });
    const blob = 'a'.repeat(64);
    drafts.addImage(session.id, { type: 'image', blob, mimeType: 'image/png', bytes: 4, width: 4, height: 4, name: 'chart.png' });
    const before = webview.received.length;
    await say({ type: 'addImages', chatId: session.id, images: [], notAdded: [] });
    const [row, added] = webview.received.slice(before);
    assert.ok(row?.type === 'delta' && row.delta.withMessage?.[0]?.name === 'chart.png');
    assert.deepEqual(added, { type: 'imagesAdded', chatId: session.id });
  });
});
