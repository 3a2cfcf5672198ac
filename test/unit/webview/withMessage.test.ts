import assert from 'node:assert/strict';
import type { TemplateResult } from 'lit';
import { DRAWABLE_TYPES } from '../../../src/protocol/images.js';
import type { WithMessageRow } from '../../../src/protocol/panel/composer.js';
import { withMessageRows } from '../../../webview/chat/composer/withMessage.js';
import { words } from '../../support/webview/markup.js';
import { pressed } from '../../support/webview/pressed.js';

const [PNG] = DRAWABLE_TYPES;

const IMAGE: WithMessageRow = {
  key: 'image:b',
  kind: 'image',
  name: 'chart.png',
  detail: '',
  tokens: 1_600,
  isEstimate: false,
  price: null,
  warning: 'Too large',
  score: null,
  isRemovable: true,
  image: { type: 'image', blob: 'b', mimeType: PNG, bytes: 4, width: 400, height: 200 },
  scaled: { longestEdge: 100, mostBytes: 30_000, tokens: 50, price: 0.0012 },
};

describe('the row of an image that is too large', () => {
  it('has a button that names the image, and the focus leaves it because it disappears', () => {
    let left = 0;
    const list = withMessageRows([IMAGE], [], {
      chatId: 'c',
      from: new EventTarget(),
      hasFolder: true,
      onRemoved: () => (left += 1),
    }) as TemplateResult;
    assert.match(words(list), /Too large Scale down \(≈ 50 tokens, ≈ \$0\.0012\)/);
    const [items, , row] = (list.values[0] as { readonly values: readonly [WithMessageRow[], unknown, (item?: WithMessageRow) => unknown] })
      .values;
    const posted = pressed(row(items[0]), 'Scale down chart.png, ≈ 50 tokens, ≈ $0.0012');
    assert.deepEqual(posted, [{ type: 'scaleImage', chatId: 'c', blob: 'b', mimeType: PNG }]);
    assert.equal(left, 1);
  });
});
