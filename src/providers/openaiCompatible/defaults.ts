import type { Capabilities } from '../../engine/model/model.js';

/** Id of the protocol: OpenAI's Chat Completions, which many servers use. */
export const OPENAI_COMPATIBLE_PROTOCOL = 'openai-compatible';

/** Default capabilities, correct for most models. */
export const OPENAI_COMPATIBLE_CAPABILITIES: Capabilities = {
  // The newest public encoding. Other vendors' tokenizers count similarly, so this encoding is good for estimates.
  counter: 'o200k_base',
  counterIsExact: false,
  countsTokens: false,
  freeCounts: false,
  // OpenAI Cookbook, "How to count tokens with tiktoken": 3 tokens per message, 1 per role, 3 per reply, 7 per tool.
  framing: { perRequest: 3, perMessage: 4, perTool: 7 },
  images: true,
  // Each server has its own rule. OpenAI's rules differ by model, see docs/models.md.
  imageTokens: null,
  imageLimits: null,
  tools: true,
  // Chat Completions cannot load tools on demand.
  toolsOnDemand: false,
  // OpenAI's limits for function names. Other servers accept at least these, but Gemini wants a letter or `_` first.
  toolNames: { characters: 'a-zA-Z0-9_-', first: 'a-zA-Z_', maxLength: 64 },
  // OpenAI refuses unions at the top. Servers based on Gemini and Ollama refuse or ignore `$ref`.
  toolSchemas: { unionsAtTop: false, references: false, propertyNames: null },
  // OpenAI's and Groq's limit. Servers without a limit can have another number in their settings.
  mostTools: 128,
  callIds: 'any',
  callsNeedDefinitions: false,
  userContentAfterToolResults: true,
  // Most servers do not need earlier reasoning, which costs input tokens. But Gemini refuses a tool call without its
  // signature, and DeepSeek and Kimi refuse a tool call without its reasoning. Servers that send reasoning also accept
  // it. https://ai.google.dev/gemini-api/docs/thought-signatures, https://api-docs.deepseek.com/guides/thinking_mode
  reasoningReplay: 'needed',
  // False, because some servers refuse unknown members.
  cacheKey: false,
  cacheDiagnostics: false,
  // OpenAI's documentation: caches prefixes from 1,024 tokens, in steps of 128, for 5 to 10 minutes without use. Other
  // servers have other figures. Only some gateways and newer models accept breakpoints.
  cache: { kind: 'automatic', minimumTokens: 1_024, stepTokens: 128, lifetimeSeconds: 300 },
};
