import type { Usage } from '../../engine/accounting/usage.js';
import { isObject, type JsonObject } from '../../engine/json.js';
import { count, member } from '../json.js';
import { reported } from '../reported.js';

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
    ...(hasSearched(raw) ? { isMoreBilled: true } : {}),
  };
}

function figure(raw: JsonObject, name: string): Usage['promptTokens'] {
  return reported(count(member(raw, name)));
}

/** Whether the API searched the web, which it bills by the search. */
function hasSearched(raw: JsonObject): boolean {
  return (count(member(member(raw, 'server_tool_use'), 'web_search_requests')) ?? 0) > 0;
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
