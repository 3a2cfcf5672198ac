import type { Figure, Usage } from '../engine/model/usage.js';
import { count, member } from './json.js';

/** Names of service tiers and regions with the usual price. */
const USUAL: ReadonlySet<string> = new Set(['', 'standard', 'standard_only', 'default', 'auto', 'on_demand', 'global', 'not_available']);

/** Maximum number of characters in the name of a tier. Limits what a server can add to the log. */
const MOST_CHARACTERS = 60;

/**
 * Returns the tier of a request if the tier has its own price: `service_tier` (OpenAI, Anthropic, Groq), `speed` and
 * `inference_geo` (Anthropic). Two words that change the price form one tier: `priority + us`.
 */
export function serviceTier(...words: readonly unknown[]): Pick<Usage, 'serviceTier'> {
  const priced = words.filter((word) => typeof word === 'string').filter((word) => !USUAL.has(word.toLowerCase()));
  return priced.length === 0 ? {} : { serviceTier: priced.map((word) => word.slice(0, MOST_CHARACTERS)).join(' + ') };
}

/** Returns a figure that the provider reported. Null when unknown. */
export function reported(value: number | null): Figure | null {
  return value === null ? null : { value, source: 'reported' };
}

/**
 * Returns cache writes by lifetime, as Anthropic and gateways report them. Null if the writes do not add up to `whole`,
 * because at least one figure must then be wrong.
 */
export function cacheCreation(split: unknown, whole: number | null): Usage['cacheCreation'] {
  const fiveMinutes = count(member(split, 'ephemeral_5m_input_tokens'));
  const oneHour = count(member(split, 'ephemeral_1h_input_tokens'));
  if (fiveMinutes === null || oneHour === null) {
    return null;
  }
  return fiveMinutes + oneHour === whole ? { fiveMinutes, oneHour } : null;
}
