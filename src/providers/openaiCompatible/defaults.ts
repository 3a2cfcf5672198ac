import type { Capabilities } from '../../engine/run/model.js';

/** Id of the protocol: Chat Completions, as OpenAI describes it and many servers speak it. */
export const OPENAI_COMPATIBLE_PROTOCOL = 'openai-compatible';

/**
 * What a model behind this protocol is taken to do when its configuration does not say otherwise: what most such
 * models do, and what costs least when it is wrong.
 */
export const OPENAI_COMPATIBLE_CAPABILITIES: Capabilities = {
  // The newest public encoding. The tokenizers of other houses give counts of the same size, so these are estimates.
  counter: 'o200k_base',
  counterIsExact: false,
  countsTokens: false,
  // From the OpenAI Cookbook, "How to count tokens with tiktoken": each message costs 3 and its role 1, each reply
  // is primed with 3, each function costs 7.
  framing: { perRequest: 3, perMessage: 4, perTool: 7 },
  images: true,
  tools: true,
  // What OpenAI takes as the name of a function; other servers take at least that.
  toolNames: { characters: 'a-zA-Z0-9_-', maxLength: 64 },
  callsNeedDefinitions: false,
  userContentAfterToolResults: true,
  // Some servers refuse a message with reasoning in it, and most need none.
  reasoningReplay: 'never',
  // The caches of this protocol work by themselves; only some gateways take marks.
  cacheBreakpoints: null,
};
