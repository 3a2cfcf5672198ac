import type { Capabilities } from '../../engine/model/model.js';

/** Id of the protocol: OpenAI's Chat Completions, which many servers use. */
export const OPENAI_COMPATIBLE_PROTOCOL = 'openai-compatible';

/** Default capabilities: right for most models, and cheap when wrong. */
export const OPENAI_COMPATIBLE_CAPABILITIES: Capabilities = {
  // The newest public encoding. Tokenizers of other vendors give similar counts, so counts are estimates.
  counter: 'o200k_base',
  counterIsExact: false,
  countsTokens: false,
  freeCounts: false,
  // OpenAI Cookbook, "How to count tokens with tiktoken": a message costs 3 and its role 1, a reply 3, a function 7.
  framing: { perRequest: 3, perMessage: 4, perTool: 7 },
  images: true,
  tools: true,
  // Chat Completions has no such feature.
  toolsOnDemand: false,
  // OpenAI's limits for function names. Other servers accept at least that.
  toolNames: { characters: 'a-zA-Z0-9_-', maxLength: 64 },
  callsNeedDefinitions: false,
  userContentAfterToolResults: true,
  // Most servers do not need it, and it costs input. But Gemini refuses a tool call without its signature, and DeepSeek
  // and Kimi refuse one without its reasoning. Servers that send reasoning also accept it.
  // https://ai.google.dev/gemini-api/docs/thought-signatures, https://api-docs.deepseek.com/guides/thinking_mode
  reasoningReplay: 'needed',
  // Some servers refuse unknown members.
  cacheKey: false,
  cacheDiagnostics: false,
  // OpenAI's documentation: prefixes from 1,024 tokens, in steps of 128, kept for 5 to 10 minutes without use. Other
  // servers have other figures. Only some gateways and newer models accept breakpoints.
  cache: { kind: 'automatic', minimumTokens: 1_024, stepTokens: 128, lifetimeSeconds: 300 },
};
