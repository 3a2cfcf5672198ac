import assert from 'node:assert/strict';
import { modelButton } from '../../../webview/chat/settings/chooserButtons.js';
import { chat } from '../../../webview/preview/states/parts.js';
import { markup } from '../../support/webview/markup.js';

function shown(label: string): string {
  return markup(modelButton(chat({ model: { label, detail: 'House · 8,192 tokens · price unknown', hasKey: true } })));
}

describe('The button of the model', () => {
  it('names the model, and tells its provider, context window and price', () => {
    const button = shown('Practice model, small window');
    assert.match(button, /aria-label="Model: Practice model, small window"/);
    assert.match(button, /title="Practice model, small window · House · 8,192 tokens · price unknown"/);
  });

  it('keeps the end of a name, which tells the models of a family apart', () => {
    const parts = (label: string): (string | undefined)[] =>
      [/model-start">([^<]*)</, /model-end">([^<]*)</].map((part) => part.exec(shown(label))?.[1]);
    assert.deepEqual(parts('Practice model, small window'), ['Practice model, smal', 'l window']);
    assert.deepEqual(parts('short'), ['', 'short']);
    assert.deepEqual(parts('x😀1234567'), ['x', '😀1234567']);
  });

  it('shows hidden characters of a name that a server chose', () => {
    assert.match(shown('a\u202Eb'), /aria-label="Model: a\[U\+202E\]b"/);
  });
});
