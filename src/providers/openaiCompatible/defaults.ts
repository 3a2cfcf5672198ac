import type { Capabilities } from '../../engine/model/model.js';

/** Id of the protocol: OpenAI's Chat Completions, which many servers speak. */
export const OPENAI_COMPATIBLE_PROTOCOL = 'openai-compatible';

/** The assumed capabilities of a model without own configuration: those of most such models, and the cheapest when wrong. */
export const OPENAI_COMPATIBLE_CAPABILITIES: Capabilities = {
  // The newest public encoding. Other vendors' tokenizers give similar counts, so these are estimates.
  counter: 'o200k_base',
  counterIsExact: false,
  countsTokens: false,
  freeCounts: false,
  // From the OpenAI Cookbook, "How to count tokens with tiktoken": each message costs 3 and its role 1, each reply 3,
  // each function 7.
  framing: { perRequest: 3, perMessage: 4, perTool: 7 },
  images: true,
  tools: true,
  // Chat Completions has nothing like it.
  toolsOnDemand: false,
  // OpenAI's limits for the name of a function; other servers take at least that.
  toolNames: { characters: 'a-zA-Z0-9_-', maxLength: 64 },
  callsNeedDefinitions: false,
  userContentAfterToolResults: true,
  // Most servers do not need it, and it costs input. But Gemini refuses a tool call without its signature, and DeepSeek
  // and Kimi refuse one without the reasoning that it came with. A server that sends reasoning takes it back.
  // https://ai.google.dev/gemini-api/docs/thought-signatures, https://api-docs.deepseek.com/guides/thinking_mode
  reasoningReplay: 'needed',
  // Some servers refuse members that they do not know.
  cacheKey: false,
  cacheDiagnostics: false,
  // OpenAI's documentation: prefixes from 1,024 tokens on, in steps of 128, gone after 5 to 10 minutes without use. Others
  // differ in figures; only some gateways and newer models take breakpoints.
  cache: { kind: 'automatic', minimumTokens: 1_024, stepTokens: 128, lifetimeSeconds: 300 },
};
