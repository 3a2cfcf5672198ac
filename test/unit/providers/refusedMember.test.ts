import assert from 'node:assert/strict';
import { refusedMember } from '../../../src/providers/http/failureMeaning.js';

describe('the member of a request that a server refuses', () => {
  const words: readonly (readonly [message: string, code: string | null, member: string | null])[] = [
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'unsupported_parameter',
      'max_tokens',
    ],
    ['Unrecognized request argument supplied: stream_options', null, 'stream_options'],
    [
      '{"detail":[{"type":"extra_forbidden","loc":["body","prompt_cache_key"],"msg":"Extra inputs are not permitted"}]}',
      null,
      'prompt_cache_key',
    ],
    ["'messages.2' : property 'reasoning_content' is unsupported", null, 'reasoning_content'],
    ["Unknown parameter: 'stream_options'.", 'unknown_parameter', 'stream_options'],
    ['diagnostics: Extra inputs are not permitted', null, 'diagnostics'],
    // These do not refuse a member that Loupe can omit.
    ['max_tokens is too large: 100000. This model supports at most 4096 completion tokens.', 'invalid_value', null],
    ["Unsupported value: 'temperature' does not support 0.2 with this model.", 'unsupported_value', null],
    ['Image input is not supported by this model.', null, null],
    ['my_max_tokens is not supported', null, null],
    ['', null, null],
  ];
  for (const [message, code, member] of words) {
    it(`is ${member ?? 'none'} in "${message.slice(0, 60)}"`, () => {
      assert.equal(refusedMember(message, code), member);
    });
  }
});
