import type { Figure, Usage } from '../engine/model/usage.js';
import { count, member } from './json.js';

/** Names of service tiers and places that have the usual price. */
const USUAL: ReadonlySet<string> = new Set(['', 'standard', 'standard_only', 'default', 'auto', 'on_demand', 'global', 'not_available']);

/** Most characters of a tier's name, longer than any real one. Limits what a server can write into the log. */
const MOST_CHARACTERS = 60;

/**
 * Returns the tier of a request if it has its own price: `service_tier` (OpenAI, Anthropic, Groq), `speed` and
 * `inference_geo` (Anthropic). Two words that change the price form one tier: `priority + us`.
 */
export function serviceTier(...words: readonly unknown[]): Pick<Usage, 'serviceTier'> {
  const priced = words.filter((word) => typeof word === 'string').filter((word) => !USUAL.has(word.toLowerCase()));
  return priced.length === 0 ? {} : { serviceTier: priced.map((word) => word.slice(0, MOST_CHARACTERS)).join(' + ') };
}

/** Returns a figure with the provider as its source. Null when unknown. */
export function reported(value: number | null): Figure | null {
  return value === null ? null : { value, source: 'reported' };
}

/**
 * Returns cache writes by lifetime, in the form of Anthropic and of gateways. Null when the writes do not add up to
 * `whole`, because then one of the three figures is wrong.
 */
export function cacheCreation(split: unknown, whole: number | null): Usage['cacheCreation'] {
  const fiveMinutes = count(member(split, 'ephemeral_5m_input_tokens'));
  const oneHour = count(member(split, 'ephemeral_1h_input_tokens'));
  if (fiveMinutes === null || oneHour === null) {
    return null;
  }
  return fiveMinutes + oneHour === whole ? { fiveMinutes, oneHour } : null;
}
