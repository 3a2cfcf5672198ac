import type { Prices } from '../../engine/model/price.js';
import type { BreakpointCache } from '../../engine/model/cacheRules.js';
import type { Capabilities, Model } from '../../engine/model/model.js';

export const PRACTICE_PROTOCOL = 'practice';
export const PRACTICE_PROVIDER = 'practice';

/**
 * Example prices for trying out the accounting. Never billed. Sizes and ratios are typical: a cache read costs a tenth
 * of the input price, a five-minute write 1.25 times the input price, a one-hour write twice the input price.
 */
const PRACTICE_PRICES: Prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6, isPretended: true };

/** Typical rules for breakpoints, which the practice model follows. */
export const PRACTICE_CACHE: BreakpointCache = {
  kind: 'marks',
  most: 4,
  minimumTokens: 1_024,
  lookBack: 20,
  lifetimes: ['5m', '1h'],
};

/** The practice model bills each image the same. */
export const PRACTICE_IMAGE = { kind: 'fixed', tokens: 1_600 } as const;

const CAPABILITIES: Capabilities = {
  counter: 'o200k_base',
  counterIsExact: true,
  countsTokens: false,
  freeCounts: true,
  // Invented figures of typical size.
  framing: { perRequest: 3, perMessage: 4, perTool: 8 },
  images: true,
  // A request to the practice model does not contain the bytes of its images.
  imageTokens: PRACTICE_IMAGE,
  imageLimits: null,
  tools: true,
  toolsOnDemand: true,
  toolNames: null,
  toolSchemas: { unionsAtTop: true, references: true, propertyNames: null },
  mostTools: null,
  callIds: 'any',
  callsNeedDefinitions: false,
  userContentAfterToolResults: false,
  // The practice model has no reasoning.
  reasoningReplay: 'never',
  cacheKey: false,
  cacheDiagnostics: false,
  cache: PRACTICE_CACHE,
};

/** A model with a typical context window. */
export const PRACTICE_STANDARD: Model = {
  ref: { provider: PRACTICE_PROVIDER, model: 'standard' },
  label: 'Practice model (offline)',
  protocol: PRACTICE_PROTOCOL,
  maxInputTokens: 128_000,
  maxOutputTokens: 8_192,
  prices: PRACTICE_PRICES,
  capabilities: CAPABILITIES,
  extraBody: {},
};

/** A model with a small context window, for trying out budgets and a change of model. */
export const PRACTICE_SMALL: Model = {
  ...PRACTICE_STANDARD,
  ref: { provider: PRACTICE_PROVIDER, model: 'small' },
  label: 'Practice model, small window (offline)',
  maxInputTokens: 8_192,
  maxOutputTokens: 2_048,
};

export const PRACTICE_MODELS: readonly Model[] = [PRACTICE_STANDARD, PRACTICE_SMALL];
