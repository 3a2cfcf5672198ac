import type { BreakpointCache } from '../../engine/model/cacheRules.js';
import type { Capabilities } from '../../engine/model/model.js';
import { cacheMinimum, USUAL_MINIMUM } from './cacheMinimum.js';

/** Id of the wire protocol. Loupe sends reasoning back only to the same protocol and model. */
export const ANTHROPIC_PROTOCOL = 'anthropic';

/**
 * Documented: at most four breakpoints per request. For each breakpoint, the API searches the 20 blocks before it for
 * cached content. The cache lasts five minutes or an hour.
 */
const CACHE: BreakpointCache = { kind: 'marks', most: 4, minimumTokens: USUAL_MINIMUM, lookBack: 20, lifetimes: ['5m', '1h'] };

export const ANTHROPIC_CAPABILITIES: Capabilities = {
  // Anthropic's tokenizer is not public. `o200k_base` is good enough for estimates, which reported usage then corrects.
  counter: 'o200k_base',
  counterIsExact: false,
  countsTokens: true,
  // Only Anthropic's own address documents free counting, see presets.ts.
  freeCounts: false,
  /*
   * Estimates of the tokens around the content, because Anthropic documents no numbers. The counting endpoint returns
   * about 8 tokens for the word "Hi". In the documentation, two short texts of 8 tokens (one of them the system prompt)
   * count as 14. So a request adds a few tokens, and each message about as many. `perTool` covers the text around name,
   * description and schema. With tools, the API also adds a system prompt of some hundred tokens. Only the calibration
   * by usage includes this prompt.
   */
  framing: { perRequest: 3, perMessage: 3, perTool: 12 },
  images: true,
  // https://platform.claude.com/docs/en/build-with-claude/vision: patches of 28 pixels, after scaling to the largest
  // size of most models. Models with a higher resolution have larger limits, which the settings contain.
  imageTokens: { kind: 'patches', side: 28, each: 1, most: 1_568, longestEdge: 1_568 },
  // The limit of 5 MB applies to the Base64 text (https://github.com/anthropics/claude-code/issues/10612).
  imageLimits: { mostBase64Bytes: 5 * 1024 * 1024, longestEdge: 8_000, manyImages: { above: 20, longestEdge: 2_000 } },
  tools: true,
  // Older models and other servers refuse tools on demand. The settings enable them for models that accept them.
  toolsOnDemand: false,
  toolNames: { characters: 'a-zA-Z0-9_-', first: null, maxLength: 128 },
  // The API refuses other schemas: "input_schema does not support oneOf, allOf, or anyOf at the top level", "Property
  // keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'".
  toolSchemas: { unionsAtTop: false, references: true, propertyNames: { characters: 'a-zA-Z0-9_.-', maxLength: 64 } },
  mostTools: null,
  callIds: 'any',
  callsNeedDefinitions: true,
  // A message must start with its tool results. Any content may follow.
  userContentAfterToolResults: true,
  // Models with preserved thinking refuse a thinking block when anything before it changed: system, tools, messages or
  // other thinking (documentation: prefix checks). Cache breakpoints may change.
  reasoningReplay: 'samePrefix',
  cacheKey: false,
  // Only Anthropic's own API has cache diagnostics. Other servers may refuse the member.
  cacheDiagnostics: false,
  cache: CACHE,
};

/** Returns the capabilities of a model: models differ in the shortest prefix that they cache. */
export function anthropicCapabilities(modelId: string): Capabilities {
  return { ...ANTHROPIC_CAPABILITIES, cache: { ...CACHE, minimumTokens: cacheMinimum(modelId) } };
}
