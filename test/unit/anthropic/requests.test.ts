import assert from 'node:assert/strict';
import { countRequest, modelPage } from '../../../src/providers/anthropic/anthropicClient.js';

describe('other requests to the Messages API', () => {
  it('count a request without the members that only sending takes', () => {
    const body =
      '{"model":"m","max_tokens":1,"stream":true,"tools":[],"system":[],"messages":[],"thinking":{"type":"adaptive"},"metadata":{},"diagnostics":{"previous_message_id":"msg_1"}}';
    assert.equal(countRequest(body), '{"model":"m","tools":[],"system":[],"messages":[],"thinking":{"type":"adaptive"}}');
  });

  it('read a page of models with their limits; what is missing or nonsense is unknown', () => {
    const data = [
      { id: 'a', display_name: 'A', max_input_tokens: 200_000, max_tokens: 64_000 },
      { id: 'b', display_name: '', max_input_tokens: null, max_tokens: 0 },
      { id: '' },
      { name: 'no id' },
      { id: 'c', max_input_tokens: -5 },
      { id: 'llama', meta: { n_ctx: 32_768, n_ctx_train: 262_144 } },
      { id: 'text-embedding-3' },
    ];
    assert.deepEqual(modelPage({ data, has_more: true, last_id: 'c' }, 'House'), {
      models: [
        { id: 'a', label: 'A', maxInputTokens: 200_000, maxOutputTokens: 64_000, otherUse: null },
        { id: 'b', label: null, maxInputTokens: null, maxOutputTokens: null, otherUse: null },
        { id: 'c', label: null, maxInputTokens: null, maxOutputTokens: null, otherUse: null },
        { id: 'llama', label: null, maxInputTokens: 32_768, maxOutputTokens: null, otherUse: null },
        {
          id: 'text-embedding-3',
          label: null,
          maxInputTokens: null,
          maxOutputTokens: null,
          otherUse: 'Probably for embeddings, judging by its name',
        },
      ],
      next: 'c',
    });
    assert.equal(modelPage({ data: [], has_more: false, last_id: 'c' }, 'House').next, null);
  });

  for (const body of ['<html>', null, {}, { data: {} }]) {
    it(`reject ${JSON.stringify(body)} as a list of models`, () => {
      assert.throws(() => modelPage(body, 'House'), { name: 'LoupeError', kind: 'protocol' });
    });
  }
});
