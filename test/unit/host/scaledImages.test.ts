import assert from 'node:assert/strict';
import type { Model } from '../../../src/engine/model/model.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { column, columns } from '../../support/columns.js';
import { BILLED_PRICES } from '../../support/host/billedModels.js';
import { until } from '../../support/host/clocks.js';
import { readyPanel } from '../../support/host/panel.js';
import { useWindows } from '../../support/host/window.js';
import { png } from '../../support/images.js';

const SMALL: Model = {
  ...PRACTICE_STANDARD,
  label: 'Small',
  prices: BILLED_PRICES,
  capabilities: {
    ...PRACTICE_STANDARD.capabilities,
    imageTokens: { kind: 'patches', side: 10, each: 1, most: 1_000, longestEdge: 100 },
    imageLimits: { mostBase64Bytes: 40_000, longestEdge: 200 },
  },
};

describe('an image that is too large for the model', () => {
  const windows = useWindows();

  it('is offered at the size that the model sees, with tokens and price, and is replaced by the smaller one', async () => {
    const { session, webview, drafts, say, snapshot } = await readyPanel(windows.open({ models: [SMALL] }));
    const large = png(400, 200, 0);
    const blob = await session.records.keepBlob(large);
    const image = { type: 'image', blob, mimeType: 'image/png', bytes: large.length, width: 400, height: 200, name: 'chart.png' } as const;
    const other = { ...image, blob: 'b'.repeat(64), width: 100, height: 50, name: 'other.png' };
    drafts.prepend(session.id, { text: 'Look', images: [image, other] });
    await until(() => typeof webview.state.withMessage[0]?.scaled?.tokens === 'number', 'the offer');
    assert.deepEqual(columns(webview.state.withMessage, 'name', 'scaled'), [
      ['chart.png', { longestEdge: 100, mostBytes: 30_000, tokens: 50, price: (50 * BILLED_PRICES.input) / 1_000_000 }],
      ['other.png', null],
    ]);
    await say({ type: 'scaleImage', chatId: session.id, blob, mimeType: 'image/png' });
    const url = `data:image/png;base64,${large.toString('base64')}`;
    assert.deepEqual(
      webview.received.findLast(({ type }) => type === 'imageToScale'),
      { type: 'imageToScale', chatId: session.id, blob, url },
    );
    await say({ type: 'replaceImage', chatId: session.id, blob, bytes: new Uint8Array(png(100, 50, 0)) });
    await until(() => column(snapshot().withMessage, 'warning')[0] === null, 'no problem');
    assert.deepEqual(columns(drafts.get(session.id).images, 'name', 'width', 'height'), [
      ['chart.png', 100, 50],
      ['other.png', 100, 50],
    ]);
  });

  it('that was removed meanwhile stays removed', async () => {
    const { session, drafts, say } = await readyPanel(windows.open({ models: [SMALL] }));
    await say({ type: 'replaceImage', chatId: session.id, blob: 'a'.repeat(64), bytes: new Uint8Array(png(100, 50, 0)) });
    assert.deepEqual(drafts.get(session.id).images, []);
  });
});
