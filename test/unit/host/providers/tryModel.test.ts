import assert from 'node:assert/strict';
import type { ModelClient } from '../../../../src/engine/model/model.js';
import { tryModel } from '../../../../src/host/models/providers/setup/tryModel.js';
import { OPEN_MODEL } from '../../../support/engine/models.js';
import { usage } from '../../../support/engine/events.js';

describe('the test of a model', () => {
  it('counts no tokens for a cache that the provider does not report', async () => {
    const reported = { ...usage(12, 0, 0, 3), cacheReadInputTokens: null, cacheCreationInputTokens: null };
    const client: ModelClient = {
      convert: () => ({ body: '', converterVersion: 'test' }),
      async *stream() {
        await Promise.resolve();
        yield { type: 'end', stopReason: 'end', usage: reported, rawUsage: null, responseId: null };
      },
      countTokens: () => assert.fail('A test counts nothing.'),
    };
    assert.equal(
      await tryModel({ client, model: OPEN_MODEL, signal: new AbortController().signal, used: () => Promise.resolve() }),
      'Test: 12 tokens in, 3 out.',
    );
  });
});
