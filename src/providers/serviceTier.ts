import type { Usage } from '../engine/model/usage.js';

/** Names of tiers and places with the usual price. */
const USUAL: ReadonlySet<string> = new Set(['', 'standard', 'standard_only', 'default', 'auto', 'on_demand', 'global', 'not_available']);

/** Longer than any tier's name. Limits what a server can put into the log. */
const MOST_CHARACTERS = 60;

/**
 * The tier that a request was served in, where it has a price of its own: `service_tier` (OpenAI, Anthropic, Groq), `speed` and
 * `inference_geo` (Anthropic). Two words that change the price are one tier: `priority + us`.
 */
export function serviceTier(...words: readonly unknown[]): Pick<Usage, 'serviceTier'> {
  const priced = words.filter((word) => typeof word === 'string').filter((word) => !USUAL.has(word.toLowerCase()));
  return priced.length === 0 ? {} : { serviceTier: priced.map((word) => word.slice(0, MOST_CHARACTERS)).join(' + ') };
}
