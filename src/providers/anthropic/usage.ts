import type { Usage } from '../../engine/accounting/usage.js';
import { isObject, type JsonObject } from '../../engine/json.js';
import { count, member } from '../json.js';
import { reported } from '../reported.js';

/**
 * Merges a later usage object of the stream into the known one. Figures are cumulative: later figures replace earlier
 * ones, missing and null ones change nothing.
 */
export function mergeUsage(known: JsonObject, later: JsonObject): JsonObject {
  const told = Object.entries(later).filter(([, value]) => value !== null);
  return { ...known, ...Object.fromEntries(told) };
}

/**
 * The API's usage object in figures that never overlap: its `input_tokens` already exclude cache reads and cache
 * writes. A missing, null or invalid figure (negative, not a whole number, not a number) is unknown. The API
 * documents nowhere that a missing figure means zero.
 *
 * `complete` says whether the reply is over: before that, the output figure is only a start value.
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

/** Cache writes by time to live. Null when they do not add up to the total: then one of the three figures is wrong. */
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
