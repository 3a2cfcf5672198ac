import type { Capabilities } from '../../engine/model/model.js';

/** Id of the wire protocol: reasoning is replayed to the same protocol and model only. */
export const ANTHROPIC_PROTOCOL = 'anthropic';

/** What a model of this protocol can do unless its configuration says otherwise. */
export const ANTHROPIC_CAPABILITIES: Capabilities = {
  // The tokenizer is not public. This one is close enough for estimates, which the reported usage then corrects.
  counter: 'o200k_base',
  counterIsExact: false,
  countsTokens: true,
  // Known of Anthropic's own address alone, see presets.ts.
  freeCounts: false,
  /*
   * The API documents no framing. Its counting endpoint answers about 8 tokens for the single word "Hi". Its
   * documentation shows 14 for two short texts of 8 tokens, one of them the system prompt. So the request costs a few
   * tokens, and each message about as many. Per tool, it is the text around name, description and schema. With tools,
   * the API also adds a system prompt of some hundred tokens once. No figure here includes it; the calibration on
   * reported usage does.
   */
  framing: { perRequest: 3, perMessage: 3, perTool: 12 },
  images: true,
  tools: true,
  // Older models and other servers of this protocol refuse it: the models that take it say so.
  toolsOnDemand: false,
  toolNames: { characters: 'a-zA-Z0-9_-', maxLength: 128 },
  callsNeedDefinitions: true,
  // Results must come first in the message; anything may follow.
  userContentAfterToolResults: true,
  // Models with preserved thinking refuse a thinking block when anything before it has changed: system, tools,
  // messages, other thinking (the documentation's page on prefix checks). Cache breakpoints may change.
  reasoningReplay: 'samePrefix',
  cacheKey: false,
  // Only the API itself has it: other servers of this protocol may refuse the member.
  cacheDiagnostics: false,
  // The documentation: four breakpoints per request, each looks back 20 blocks, for five minutes or an hour. Most models
  // need 1,024 tokens; configuration says where it is more.
  cache: { kind: 'marks', most: 4, minimumTokens: 1_024, lookBack: 20, lifetimes: ['5m', '1h'] },
};
