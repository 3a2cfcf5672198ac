import assert from 'node:assert/strict';
import { toErrorRecord, type LoupeError } from '../../../src/engine/errors.js';
import type { ErrorKind } from '../../../src/engine/failures/entry.js';
import type { HttpFailure } from '../../../src/providers/http/failureMeaning.js';
import { httpError } from '../../../src/providers/http/httpError.js';
import { endpointAt } from '../../support/http/endpoints.js';

const ENDPOINT = endpointAt('https://api.example.com/v1');

function errorFor(failure: Partial<HttpFailure>, key: string | null): LoupeError {
  return httpError({ status: 400, headers: new Headers(), message: '', code: null, body: null, ...failure }, ENDPOINT, key);
}

const error = (failure: Partial<HttpFailure>): LoupeError => errorFor(failure, 'the-key');
const detail = (failure: Partial<HttpFailure>): string | null => toErrorRecord(error(failure)).detail;

describe('the error for an answer that is not a success', () => {
  it('has the kind that its status says', () => {
    const kinds: Record<number, ErrorKind> = {
      400: 'protocol',
      401: 'auth',
      402: 'refused',
      403: 'auth',
      404: 'protocol',
      405: 'protocol',
      407: 'network',
      408: 'timeout',
      409: 'protocol',
      410: 'protocol',
      413: 'contextOverflow',
      418: 'protocol',
      422: 'protocol',
      429: 'rateLimit',
      500: 'overloaded',
      502: 'overloaded',
      503: 'overloaded',
      504: 'timeout',
      524: 'timeout',
      529: 'overloaded',
    };
    for (const [status, kind] of Object.entries(kinds)) {
      assert.equal(error({ status: Number(status) }).kind, kind, status);
    }
  });

  it('says what happened, with the name of the provider, and what to do', () => {
    const messages: Record<number, string> = {
      400: 'Weather AI rejected the request (HTTP 400). See Details.',
      402: 'Your account at Weather AI has no credit left. Add credit there, or choose another provider.',
      403: 'Weather AI does not allow this request with this key. See Details.',
      404: 'Weather AI found nothing at this address (HTTP 404). Check the base URL.',
      408: 'Weather AI took too long and gave up (HTTP 408).',
      429: 'Weather AI: Rate limit reached.',
      500: 'Weather AI: Server error (HTTP 500).',
      503: 'Weather AI is overloaded or unavailable right now (HTTP 503).',
    };
    for (const [status, message] of Object.entries(messages)) {
      assert.equal(error({ status: Number(status) }).message, message);
    }
  });

  it('says that a proxy asks for a log-in, whatever its page says, and that another try does not help', () => {
    const told = error({ status: 407, message: 'rate limit: the model does not exist' });
    assert.deepEqual([told.code, told.retryable], ['http.proxyLogin', false]);
    assert.match(told.message, /^A proxy on the way to Weather AI requires a login \(HTTP 407\)\. /);
    assert.equal(error({ status: 200, code: '407' }).code, 'http.proxyLogin');
  });

  it('keeps the words of the server in its details', () => {
    assert.equal(detail({ message: 'temperature: too hot', code: 'bad_value' }), 'Error: HTTP 400: bad_value: temperature: too hot');
    assert.equal(detail({ status: 500 }), 'Error: HTTP 500');
  });

  describe('about a key', () => {
    it('tells one that is refused from one that is missing', () => {
      assert.equal(errorFor({ status: 401 }, 'the-key').message, 'Weather AI rejected the key.');
      assert.equal(errorFor({ status: 401 }, null).message, 'Weather AI needs an API key, but Loupe has no stored key for it.');
      assert.match(errorFor({ status: 403 }, null).message, / without a key\. /);
    });

    it('keeps what the server says of it, without the key and without any echo of it', () => {
      const said = (message: string): string | null => detail({ status: 401, message, code: 'invalid_api_key' });
      for (const echo of ['the-key', 'the-k**y', 'th***ey', 't…', '"the-key"']) {
        const words = said(`Incorrect API key provided: ${echo}. Find yours at https://example.com/keys.`);
        assert.match(
          words ?? '',
          /^Error: HTTP 401: invalid_api_key: Incorrect API key provided: "?\[key\]"?\. Find yours at https:\S+keys\.$/,
        );
      }
      assert.equal(said('Your project is disabled.'), 'Error: HTTP 401: invalid_api_key: Your project is disabled.');
    });

    it('does not hold it in other words of the server either', () => {
      assert.equal(detail({ status: 403, message: 'no: the-key', code: 'the-key' }), 'Error: HTTP 403: [key]: no: [key]');
      assert.equal(detail({ status: 500, message: `<title>the-key</title>` }), 'Error: HTTP 500: a page with the title "[key]"');
    });

    it('does not hold a part of it where long words are cut', () => {
      const text = detail({ message: `${'x'.repeat(1_996)}the-key` });
      assert.doesNotMatch(text!, /the-/);
    });
  });

  describe('about a request that is too long', () => {
    // Messages of servers. Null when they name no limit.
    const said: [message: string, limit: number | null][] = [
      ['prompt is too long: 210000 tokens > 200000 maximum', 200_000],
      ['prompt is too long', null],
      [
        'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
        200_000,
      ],
      [
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.",
        128_000,
      ],
      [
        "This endpoint's maximum context length is 131072 tokens. However, you requested about 138956 tokens (7884 of text input, 131072 in the output).",
        131_072,
      ],
      ["Requested token count exceeds the model's maximum context length of 4,096 tokens.", 4_096],
      ['Your input exceeds the context window of this model. Please adjust your input and try again.', null],
      ['Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123 tokens.', 272_000],
      ['request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it', 4_096],
      ['the request exceeds the available context size. try increasing the context size or enable context shift', null],
      ['{"message":"the request exceeds the available context size","n_prompt_tokens":1407,"n_ctx":256}', 256],
      ['Context size has been exceeded.', null],
      [
        'Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded with context length of only 7866 tokens, which is not enough.',
        7_866,
      ],
      [
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length',
        4_096,
      ],
      ['The number of tokens to keep from the initial prompt is greater than the context length.', null],
      ['Reached context length of 4096 tokens with this model', 4_096],
      ['the input length exceeds the context length', null],
      ['prompt too long; exceeded max context length by 120 tokens', null],
      ["You passed 5000 input tokens and requested 100 output tokens. However, the model's context length is only 4096 tokens", 4_096],
      ['The decoder prompt (length 5000) is longer than the maximum model length of 4096.', 4_096],
      ["The input (5000 tokens) is longer than the model's context length (4096 tokens).", 4_096],
      ['Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length', 32_768],
      ['The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).', 1_048_575],
      ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072],
      ['prompt token count of 140000 exceeds the limit of 128000', 128_000],
      ['Invalid request: Your request exceeded model token limit: 131072 (requested: 150000)', 131_072],
      ['Range of input length should be [1, 129024]', 129_024],
      ['Request body too large for gpt-4o model. Max size: 8000 tokens.', 8_000],
      ['Requested tokens (2285) exceed context window of 2048', 2_048],
      ['Please reduce the length of the messages or completion.', null],
      ['invalid params, context window exceeds limit', null],
    ];

    it('is found in the words of every server, with the limit where it tells it', () => {
      for (const [message, limit] of said) {
        for (const status of [400, 413, 422, 500]) {
          const { kind, inputLimit } = error({ status, message });
          assert.deepEqual([kind, inputLimit], ['contextOverflow', limit], `${String(status)} ${message}`);
        }
      }
    });

    it('is found by code as well', () => {
      for (const code of ['context_length_exceeded', 'exceed_context_size_error', 'request_too_large']) {
        assert.equal(error({ code }).kind, 'contextOverflow', code);
      }
    });

    it('says what to do', () => {
      assert.equal(
        error({ message: said[0]![0] }).message,
        'Weather AI: The request is too long for this model (limit 200,000 tokens). Remove files or start a new chat.',
      );
      assert.match(error({ status: 413 }).message, /too long for this model\. /);
    });

    it('is not tried again, even where a rate limit is named: waiting makes it no shorter', () => {
      const message = 'Request too large for gpt-4o on tokens per min (TPM): Limit 10000, Requested 12000.';
      const { kind, retryable, inputLimit } = error({ status: 429, message, code: 'rate_limit_exceeded' });
      assert.deepEqual([kind, retryable, inputLimit], ['contextOverflow', false, null]);
    });

    it('is not seen in what is about other limits', () => {
      for (const message of [
        'max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens',
        'messages.0.content: at least one message is required',
        'image exceeds 5 MB maximum',
      ]) {
        assert.equal(error({ message }).kind, 'protocol', message);
      }
    });
  });

  describe('about credit', () => {
    it('is not tried again', () => {
      for (const failure of [
        {
          status: 429,
          message: 'You exceeded your current quota, please check your plan and billing details.',
          code: 'insufficient_quota',
        },
        { status: 429, message: 'You exceeded your current quota, please check your plan and billing details.' },
        { status: 400, message: 'Your credit balance is too low to access the API.', code: 'invalid_request_error' },
        { status: 402, message: 'Insufficient credits. Add more.' },
        { status: 403, code: 'billing_error' },
        { status: 400, message: 'More credits are required to run this request.' },
      ]) {
        const { kind, retryable } = error(failure);
        assert.deepEqual([kind, retryable], ['refused', false], JSON.stringify(failure));
      }
    });

    it('is told from a rate limit that has the same words, but a time to come again', () => {
      const message = 'You exceeded your current quota, please check your plan and billing details.';
      assert.equal(error({ status: 429, message: `${message} Please retry in 36s.` }).kind, 'rateLimit');
      assert.equal(error({ status: 429, message, headers: new Headers({ 'retry-after': '36' }) }).kind, 'rateLimit');
    });
  });

  it('finds a model that is gone, whatever the status', () => {
    for (const failure of [
      { status: 404, message: 'model: x-1', code: 'not_found_error' },
      { status: 404, message: 'model "x" not found, try pulling it first' },
      { status: 404, message: 'No endpoints found for x.' },
      { status: 404, message: 'The model `x` does not exist or you do not have access to it.', code: 'model_not_found' },
      { status: 403, message: 'Project p does not have access to model x', code: 'model_not_found' },
      { status: 400, message: 'x/y is not a valid model ID' },
    ]) {
      assert.equal(error(failure).kind, 'modelGone', JSON.stringify(failure));
    }
    assert.equal(error({ status: 404, message: 'Not Found: /v1/models' }).kind, 'protocol', 'that is about the address');
  });

  it('finds a refusal because of the content', () => {
    assert.equal(error({ code: 'content_filter' }).kind, 'refused');
    assert.equal(error({ status: 403, message: 'This model requires moderation; your input was flagged for "x".' }).kind, 'refused');
  });

  describe('with a page', () => {
    it('keeps only its title', () => {
      const page = '<!DOCTYPE html><html><head><title>\n 502 Bad\n Gateway </title></head><body>model not found</body></html>';
      assert.equal(detail({ status: 502, message: page }), 'Error: HTTP 502: a page with the title "502 Bad Gateway"');
      assert.equal(detail({ status: 502, message: '<html><body>x</body></html>' }), 'Error: HTTP 502: a page without a title');
    });

    it('does not take its text for the words of the server', () => {
      assert.equal(error({ status: 404, message: '<html><title>Nothing here</title>the model is gone</html>' }).kind, 'protocol');
    });
  });

  it('cuts words without end', () => {
    const text = detail({ message: 'x'.repeat(100_000) });
    assert.equal(text, `Error: HTTP 400: ${'x'.repeat(2_000)}…`);
  });

  it('cuts a code without end', () => {
    assert.equal(detail({ code: 'c'.repeat(5_000), message: 'Bad' })?.length, 'Error: HTTP 400: : Bad'.length + 200);
  });

  it('takes the code of an error inside a stream for its status', () => {
    const kinds: Record<string, ErrorKind> = {
      overloaded_error: 'overloaded',
      api_error: 'overloaded',
      rate_limit_error: 'rateLimit',
      authentication_error: 'auth',
      invalid_request_error: 'protocol',
      insufficient_quota: 'refused',
      502: 'overloaded',
      429: 'rateLimit',
      strange: 'protocol',
    };
    for (const [code, kind] of Object.entries(kinds)) {
      assert.equal(error({ status: 200, code }).kind, kind, code);
    }
    assert.equal(error({ status: 200 }).message, 'Weather AI reported an error in its answer. See Details.');
    assert.equal(error({ status: 500, code: 'rate_limit_error' }).kind, 'overloaded', 'a status of its own counts');
  });

  describe('and the time to wait', () => {
    const wait = (headers: Record<string, string>): number | null => error({ status: 429, headers: new Headers(headers) }).retryAfterMs;

    it('is in ms, in seconds, or until a date by the clock of the server', () => {
      assert.equal(wait({ 'retry-after-ms': '1500' }), 1_500);
      assert.equal(wait({ 'retry-after': '7' }), 7_000);
      assert.equal(wait({ 'retry-after': '0.25' }), 250);
      assert.equal(wait({ 'retry-after': '7', 'retry-after-ms': '10' }), 10, 'the exact one counts');
      const date = 'Wed, 21 Oct 2015 07:28:00 GMT';
      assert.equal(wait({ 'retry-after': 'Wed, 21 Oct 2015 07:28:30 GMT', date }), 30_000);
      assert.equal(wait({ 'retry-after': 'Wed, 21 Oct 2015 07:27:30 GMT', date }), 0, 'one that is over');
    });

    it('is counted by the own clock when the server does not tell its own', () => {
      const until = new Date(Date.now() + 3_600_000).toUTCString();
      const ms = wait({ 'retry-after': until });
      assert.ok(ms !== null && ms > 3_500_000 && ms <= 3_600_000, String(ms));
    });

    it('is unknown where it makes no sense', () => {
      for (const text of ['', '-5', 'soon', '1e9', '2024']) {
        assert.equal(wait({ 'retry-after': text }), text === '2024' ? 2_024_000 : null, text);
      }
      assert.equal(wait({}), null);
    });
  });
});
