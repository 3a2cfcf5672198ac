import { isObject, type Json, type JsonObject } from '../engine/json.js';
import { member } from './json.js';

/**
 * Merges a later report of a stream's usage into what is known. Reports are cumulative: Anthropic, vLLM and Gemini send
 * several. A later figure replaces an earlier one, but a zero or a missing figure erases nothing: some servers and
 * gateways send zeros before or behind the real report.
 */
export function laterUsage(known: JsonObject, later: JsonObject): JsonObject {
  const told = Object.entries(later).map(([name, value]): [string, Json] => [name, laterFigure(member(known, name), value)]);
  return { ...known, ...Object.fromEntries(told) };
}

function laterFigure(known: Json | undefined, later: Json): Json {
  if (isObject(known) && isObject(later)) {
    return laterUsage(known, later);
  }
  return known !== undefined && (later === null || later === 0) ? known : later;
}
