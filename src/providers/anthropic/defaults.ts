import type { Capabilities } from '../../engine/run/model.js';

/** Id of the wire protocol: reasoning is replayed to the same protocol and model only. */
export const ANTHROPIC_PROTOCOL = 'anthropic';

/** What a model of this protocol can do unless its configuration says otherwise. */
export const ANTHROPIC_CAPABILITIES: Capabilities = {
  // The tokenizer is not public; this one is near enough for estimates, which the reported usage then corrects.
  counter: 'o200k_base',
  counterIsExact: false,
  countsTokens: true,
  /*
   * The API documents no framing. Its counting endpoint answers about 8 tokens for the single word "Hi" and, in its
   * own documentation, 14 for two short texts of 8 tokens, one of them the system prompt: a few tokens for the
   * request and about as many for each message. Per tool it is the wrapping around name, description and schema.
   * The system prompt of some hundred tokens that the API adds once when there are tools is in no figure here; the
   * calibration on reported usage takes it in.
   */
  framing: { perRequest: 3, perMessage: 3, perTool: 12 },
  images: true,
  tools: true,
  toolNames: { characters: 'a-zA-Z0-9_-', maxLength: 128 },
  callsNeedDefinitions: true,
  // Results must come first in the message; anything may follow.
  userContentAfterToolResults: true,
  // Models with preserved thinking refuse a thinking block when anything before it has changed, by the documentation's
  // page on prefix checks: system, tools, messages, other thinking. Marks of the cache are no change.
  reasoningReplay: 'samePrefix',
  // Four marks in one request; 1,024 tokens are the minimum of most models, and configuration says where it is more.
  cacheBreakpoints: { most: 4, minimumTokens: 1_024 },
};
