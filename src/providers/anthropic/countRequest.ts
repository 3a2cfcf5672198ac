import { isObject } from '../../engine/json.js';
import { failure } from '../../engine/errors.js';

/**
 * The members that `POST /v1/messages/count_tokens` takes (`MessageCountTokensParams` of the official client). It refuses others,
 * such as `max_tokens` and `stream`.
 */
const COUNTED_MEMBERS: ReadonlySet<string> = new Set([
  'cache_control',
  'messages',
  'model',
  'output_config',
  'speed',
  'system',
  'thinking',
  'tool_choice',
  'tools',
]);

/** The body of a count request, made from the body of the request itself. */
export function countRequest(body: string): string {
  const request: unknown = JSON.parse(body);
  if (!isObject(request)) {
    throw failure('internal.defect', { text: 'A request that is no JSON object was to be counted.' });
  }
  return JSON.stringify(Object.fromEntries(Object.entries(request).filter(([name]) => COUNTED_MEMBERS.has(name))));
}
