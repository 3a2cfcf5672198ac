import type { Usage } from '../../engine/accounting/usage.js';
import type { JsonObject } from '../../engine/json.js';
import { cacheCreation } from '../cacheCreation.js';
import { count, member } from '../json.js';
import { reported } from '../reported.js';
import { serviceTier } from '../serviceTier.js';

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
    cacheCreation: cacheCreation(member(raw, 'cache_creation'), count(member(raw, 'cache_creation_input_tokens'))),
    completionTokens: complete ? figure(raw, 'output_tokens') : null,
    ...serviceTier(member(raw, 'service_tier'), member(raw, 'speed'), member(raw, 'inference_geo')),
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
