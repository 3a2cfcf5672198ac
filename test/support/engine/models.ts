import type { BreakpointCache } from '../../../src/engine/model/cacheRules.js';
import type { Capabilities, Model } from '../../../src/engine/model/model.js';
import { characters } from './ports.js';

export function markedCache(change: Partial<BreakpointCache>): BreakpointCache {
  return { kind: 'marks', most: 4, minimumTokens: 1_024, lookBack: 20, lifetimes: ['5m', '1h'], ...change };
}

const capabilities: Capabilities = {
  counter: characters.id,
  counterIsExact: true,
  countsTokens: false,
  framing: { perRequest: 3, perMessage: 4, perTool: 8 },
  images: true,
  imageTokens: null,
  imageLimits: null,
  tools: true,
  toolsOnDemand: true,
  toolNames: null,
  toolSchemas: { unionsAtTop: true, references: true, propertyNames: null },
  mostTools: null,
  callIds: 'any',
  callsNeedDefinitions: false,
  userContentAfterToolResults: true,
  reasoningReplay: 'always',
  cacheKey: false,
  cacheDiagnostics: false,
  freeCounts: false,
  cache: markedCache({ minimumTokens: 100 }),
};

export const OPEN_MODEL: Model = {
  ref: { provider: 'open-house', model: 'large' },
  label: 'Large',
  protocol: 'open-wire',
  maxInputTokens: 100_000,
  maxOutputTokens: 4_000,
  prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 },
  capabilities,
  extraBody: {},
};

/** A model without images, user content after tool results, or cache breakpoints. */
export const STRICT_MODEL: Model = {
  ref: { provider: 'strict-house', model: 'plain' },
  label: 'Plain',
  protocol: 'strict-wire',
  maxInputTokens: null,
  maxOutputTokens: null,
  prices: null,
  capabilities: {
    ...capabilities,
    framing: { perRequest: 0, perMessage: 7, perTool: 0 },
    images: false,
    userContentAfterToolResults: false,
    cache: { kind: 'none' },
  },
  extraBody: {},
};

export const TOOLLESS_MODEL: Model = {
  ...OPEN_MODEL,
  ref: { provider: 'open-house', model: 'talker' },
  capabilities: { ...capabilities, tools: false, reasoningReplay: 'never' },
};

/** A model that takes reasoning back only after the same prefix. */
export const BINDING_MODEL: Model = { ...OPEN_MODEL, capabilities: { ...capabilities, reasoningReplay: 'samePrefix' } };

export function withCapabilities(model: Model, change: Partial<Capabilities>): Model {
  return { ...model, capabilities: { ...model.capabilities, ...change } };
}
