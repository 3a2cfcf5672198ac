import type { IncomingHttpHeaders } from 'node:http';
import type { Protocol } from './options.js';
import { invalid, Refusal } from './refusal.js';

/** The key of a request: `x-api-key`, or a bearer token. Null without one. */
export function sentKey(headers: IncomingHttpHeaders): string | null {
  const header = headers['x-api-key'];
  if (typeof header === 'string') {
    return header;
  }
  const bearer = /^Bearer (.+)$/iu.exec(headers.authorization ?? '');
  return bearer?.[1] ?? null;
}

/** Throws a `Refusal` for an unknown key. An empty list allows all. */
export function checkAccess(protocol: Protocol, headers: IncomingHttpHeaders, keys: readonly string[]): void {
  const key = sentKey(headers);
  if (keys.length > 0 && (key === null || !keys.includes(key))) {
    throw protocol === 'anthropic' ? anthropicUnauthorized(key) : openaiUnauthorized(key);
  }
  if (protocol === 'anthropic' && headers['anthropic-version'] === undefined) {
    throw invalid('anthropic-version: header is required');
  }
}

function anthropicUnauthorized(key: string | null): Refusal {
  const message = key === null ? 'x-api-key header is required' : 'invalid x-api-key';
  return new Refusal(401, message, { code: null, param: null });
}

/** "Error codes": the answer shows the first and last characters of a wrong key. */
function openaiUnauthorized(key: string | null): Refusal {
  const place = 'You can find your API key at https://platform.openai.com/account/api-keys.';
  return key === null
    ? new Refusal(401, `You didn't provide an API key. ${place}`, { code: null, param: null })
    : new Refusal(401, `Incorrect API key provided: ${masked(key)}. ${place}`, { code: 'invalid_api_key', param: null });
}

const SHOWN_CHARACTERS = 4;

function masked(key: string): string {
  return key.length <= 2 * SHOWN_CHARACTERS
    ? '*'.repeat(key.length)
    : key.slice(0, SHOWN_CHARACTERS) + '*'.repeat(key.length - 2 * SHOWN_CHARACTERS) + key.slice(-SHOWN_CHARACTERS);
}
