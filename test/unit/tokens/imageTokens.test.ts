import assert from 'node:assert/strict';
import type { ImageTokens } from '../../../src/engine/model/imageRules.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { IMAGE_TOKENS, imageTokens, isImageKnown } from '../../../src/engine/tokens/imageTokens.js';
import { ANTHROPIC_CAPABILITIES } from '../../../src/providers/anthropic/defaults.js';
import { characters, sha256 } from '../../support/engine/ports.js';

const TILES: ImageTokens = { kind: 'tiles', side: 512, base: 85, each: 170, longestEdge: 2_048, shortestEdge: 768 };
const PATCHES: ImageTokens = { kind: 'patches', side: 32, each: 1.62, most: 1_536, longestEdge: 2_048 };
const PIXELS: ImageTokens = { kind: 'pixels', perToken: 750, most: 1_600, longestEdge: 1_568 };
const FIXED: ImageTokens = { kind: 'fixed', tokens: 258 };
const ANTHROPIC = ANTHROPIC_CAPABILITIES.imageTokens;

describe('the tokens of an image', () => {
  const EXAMPLES: readonly (readonly [rule: ImageTokens | null, width: number, height: number, tokens: number])[] = [
    // The examples of Anthropic's documentation.
    [ANTHROPIC, 200, 200, 64],
    [ANTHROPIC, 1_000, 1_000, 1_296],
    [ANTHROPIC, 1_920, 1_080, 1_568],
    [ANTHROPIC, 8_000, 20, 56],
    // The examples of OpenAI's documentation.
    [TILES, 1_024, 1_024, 765],
    [TILES, 2_048, 4_096, 1_105],
    [PATCHES, 1_024, 1_024, 1_659],
    [PATCHES, 1_800, 2_400, 2_489],
    [PIXELS, 200, 200, 54],
    [PIXELS, 1_000, 1_000, 1_334],
    [FIXED, 10, 10, 258],
    [null, 10, 10, IMAGE_TOKENS],
    [TILES, 0, 10, IMAGE_TOKENS],
  ];
  for (const [rule, width, height, tokens] of EXAMPLES) {
    it(`are ${String(tokens)} for ${String(width)} × ${String(height)} pixels by ${JSON.stringify(rule)}`, () => {
      assert.equal(imageTokens({ width, height }, rule), tokens);
    });
  }

  it('are part of the tokens of a message and of a tool result', () => {
    const image = { type: 'image', blob: 'b', mimeType: 'image/png', bytes: 9, width: 1_024, height: 1_024 } as const;
    const result = { type: 'toolResult', callId: 'c', name: 'shot', content: [image], isError: false, synthetic: false } as const;
    const factory = new BlockFactory(characters, sha256, TILES);
    const tokensOf = (role: 'user' | 'tool-results', part: typeof image | typeof result): number | undefined =>
      factory.messageBlock({ messageId: 'm', index: 0, role, part }, new Map())?.tokens;
    assert.equal(tokensOf('user', image), 765);
    assert.equal(tokensOf('tool-results', result), 765);
  });

  it('are an estimate without a rule or a size, unless all images cost the same', () => {
    const unknown = { width: null, height: null };
    assert.equal(imageTokens(unknown, TILES), IMAGE_TOKENS);
    assert.equal(imageTokens(null, FIXED), 258);
    const known = { width: 1, height: 1 };
    const figures = [isImageKnown(unknown, TILES), isImageKnown(known, null), isImageKnown(known, TILES), isImageKnown(unknown, FIXED)];
    assert.deepEqual(figures, [false, false, true, true]);
  });
});
