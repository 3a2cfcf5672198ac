import assert from 'node:assert/strict';
import { listedModels } from '../../../src/providers/openaiCompatible/openAiCompatibleClient.js';
import { column } from '../../support/columns.js';

describe('the model list of a compatible server', () => {
  it('reads ids, and limits and labels where the server gives them', () => {
    const data = [
      { id: 'plain', object: 'model', created: 1, owned_by: 'x' },
      { id: 'router', name: 'Router', context_length: 200_000, top_provider: { max_completion_tokens: 64_000 } },
      { id: 'vllm', max_model_len: 32_768 },
      { id: 'studio', max_context_length: 8_192 },
      { id: 'llama', object: 'model', meta: { n_vocab: 151_936, n_ctx_train: 262_144, n_ctx: 32_768 } },
      { id: 'fast', context_window: 131_072, max_completion_tokens: 32_768, display_name: 'Fast' },
    ];
    assert.deepEqual(listedModels({ object: 'list', data }), [
      { id: 'plain', label: null, maxInputTokens: null, maxOutputTokens: null, otherUse: null },
      { id: 'router', label: 'Router', maxInputTokens: 200_000, maxOutputTokens: 64_000, otherUse: null },
      { id: 'vllm', label: null, maxInputTokens: 32_768, maxOutputTokens: null, otherUse: null },
      { id: 'studio', label: null, maxInputTokens: 8_192, maxOutputTokens: null, otherUse: null },
      { id: 'llama', label: null, maxInputTokens: 32_768, maxOutputTokens: null, otherUse: null },
      { id: 'fast', label: 'Fast', maxInputTokens: 131_072, maxOutputTokens: 32_768, otherUse: null },
    ]);
  });

  it('takes a bare list, and leaves out what has no id', () => {
    const entries = [{ id: 'a' }, { name: 'b' }, null, 'c', { id: '' }, { id: 5 }];
    assert.deepEqual(column(listedModels(entries), 'id'), ['a']);
  });

  it('takes no nonsense for a limit', () => {
    for (const limit of [0, -1, 1.5, '8192', null]) {
      assert.equal(listedModels([{ id: 'a', context_length: limit }])?.[0]?.maxInputTokens, null);
    }
  });

  it('is no list without a list in it', () => {
    for (const answer of [null, {}, { data: {} }, 'models', 3]) {
      assert.equal(listedModels(answer), null);
    }
  });
});
