import type { Usage } from '../../engine/accounting/usage.js';
import { isObject, type JsonObject } from '../../engine/json.js';
import { count, member } from '../json.js';
import { reported } from '../reported.js';

/**
 * The usage object after another event of the stream has reported. Figures are cumulative: what the later event
 * tells replaces what was known; what it leaves out, or sends as null, stays.
 */
export function mergeUsage(known: JsonObject, later: JsonObject): JsonObject {
  const told = Object.entries(later).filter(([, value]) => value !== null);
  return { ...known, ...Object.fromEntries(told) };
}

/**
 * The API's usage object in figures that never overlap: its `input_tokens` are already without those read from and
 * written to the cache. A figure that is missing, null or nonsense (negative, no whole number, no number) is unknown.
 * Nowhere does the API document that a missing figure means zero, so none is read that way.
 *
 * `complete` says whether the reply is over: until then the output figure is only where the count began.
 */
export function normalizedUsage(raw: JsonObject, complete: boolean): Usage {
  return {
    promptTokens: figure(raw, 'input_tokens'),
    cacheReadInputTokens: figure(raw, 'cache_read_input_tokens'),
    cacheCreationInputTokens: figure(raw, 'cache_creation_input_tokens'),
    cacheCreation: cacheCreation(raw),
    completionTokens: complete ? figure(raw, 'output_tokens') : null,
  };
}

function figure(raw: JsonObject, name: string): Usage['promptTokens'] {
  return reported(count(member(raw, name)));
}

/** The written tokens by time to live; null unless the two add up to the whole, for then one of the three is wrong. */
function cacheCreation(raw: JsonObject): Usage['cacheCreation'] {
  const split = member(raw, 'cache_creation');
  if (!isObject(split)) {
    return null;
  }
  const fiveMinutes = count(member(split, 'ephemeral_5m_input_tokens'));
  const oneHour = count(member(split, 'ephemeral_1h_input_tokens'));
  if (fiveMinutes === null || oneHour === null) {
    return null;
  }
  const whole = count(member(raw, 'cache_creation_input_tokens'));
  return fiveMinutes + oneHour === whole ? { fiveMinutes, oneHour } : null;
}
