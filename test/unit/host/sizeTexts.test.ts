import assert from 'node:assert/strict';
import { NO_ADAPTATIONS } from '../../../src/engine/record/adaptations.js';
import { type RequestSize, scaledTokens } from '../../../src/engine/record/requestSize.js';
import { adaptationSentences } from '../../../src/host/request/sizeTexts.js';

const CORRECTED: RequestSize = { tokens: 1_200, counted: 1_000, basis: 'estimate', error: 0.03 };

describe('tokens of a part of a request', () => {
  it('are corrected as the whole is', () => {
    assert.equal(scaledTokens(500, CORRECTED), 600);
    assert.equal(scaledTokens(0, CORRECTED), 0);
    assert.equal(scaledTokens(7, { ...CORRECTED, tokens: 1_000 }), 7);
  });

  it('are what was counted where there is nothing to compare with', () => {
    assert.equal(scaledTokens(5, { tokens: 0, counted: 0, basis: 'exact', error: null }), 5);
  });
});

describe('adaptations to a model', () => {
  it('are said in a sentence each, and not at all when there are none', () => {
    assert.deepEqual(adaptationSentences(NO_ADAPTATIONS, 'Small'), []);
    assert.deepEqual(
      adaptationSentences(
        {
          ...{ reasoningLeftOut: 1, reasoningOutdated: 1, imagesLeftOut: 1, resultsCut: 1 },
          ...{ resultsMissing: 1, toolPartsAsText: 1, toolsLeftOut: 1, editorDropped: ['selection', 'git'] },
        },
        'Small',
      ),
      [
        'Not sent: 1 reasoning part, written by another model.',
        'Not sent: 1 earlier reasoning part, because earlier content has changed.',
        'Not sent: 1 image. The model does not accept them, or the image file is missing.',
        'Not sent: the middle of 1 tool result with more than 256 KB.',
        '1 tool result is sent only in part: the file with the full text is missing or damaged.',
        '1 tool call or result is sent as text, because Small takes no tools.',
        'Not sent: the editor state (selection, git). The request has no room for it.',
        '1 tool is not offered, because Small takes none.',
      ],
    );
    assert.deepEqual(
      adaptationSentences(
        {
          ...{ reasoningLeftOut: 1_200, reasoningOutdated: 3, imagesLeftOut: 2, resultsCut: 2 },
          ...{ resultsMissing: 2, toolPartsAsText: 3, toolsLeftOut: 2 },
        },
        'Small',
      ),
      [
        'Not sent: 1,200 reasoning parts, written by another model.',
        'Not sent: 3 earlier reasoning parts, because earlier content has changed.',
        'Not sent: 2 images. The model does not accept them, or the image file is missing.',
        'Not sent: the middle of 2 tool results with more than 256 KB.',
        '2 tool results are sent only in part: the file with the full text is missing or damaged.',
        '3 tool calls and results are sent as text, because Small takes no tools.',
        '2 tools are not offered, because Small takes none.',
      ],
    );
  });
});
