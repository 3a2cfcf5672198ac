import assert from 'node:assert/strict';
import type { ReplyWindowView } from '../../../src/protocol/panel/requestRows.js';
import { markup, words } from '../../support/webview/markup.js';
import { replyWindow } from '../../../webview/chat/request/contextUsed.js';

const KNOWN: Extract<ReplyWindowView, { readonly kind: 'known' }> = {
  kind: 'known',
  tokens: 12_400,
  limit: 200_000,
  uncachedTokens: 1_000,
  cachedTokens: 10_000,
  writtenTokens: 0,
  outputTokens: 1_400,
  isEstimate: false,
};

describe('The context window after a reply', () => {
  const said = (window: ReplyWindowView): string => words(replyWindow(window));

  it('is so much of what the model takes, and the four figures that it is made of, also those that are 0', () => {
    assert.equal(
      said(KNOWN),
      'Context window after this reply 12,400 of 200,000 tokens 1,000 uncached + 10,000 read + 0 written + 1,400 out',
    );
    assert.match(markup(replyWindow(KNOWN)), /role="group" aria-label="Context window after this reply"/);
  });

  it('has no limit that nobody knows, and no cache of which the provider tells nothing', () => {
    const silent = { ...KNOWN, limit: null, cachedTokens: null, writtenTokens: null, uncachedTokens: 11_000 };
    assert.equal(said(silent), 'Context window after this reply 12,400 tokens 11,000 in + 1,400 out');
  });

  it('is marked where a part of it was counted here', () => {
    assert.match(said({ ...KNOWN, isEstimate: true }), /≈ 12,400 of 200,000 tokens/);
  });

  it('is unknown, not 0, or as before, in words', () => {
    assert.equal(said({ kind: 'unknown' }), 'Context window after this reply unknown');
    assert.equal(said({ kind: 'unchanged' }), 'Context window after this reply unchanged: later requests do not contain this reply');
  });
});
