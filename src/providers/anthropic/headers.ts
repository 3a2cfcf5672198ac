import type { Endpoint } from '../endpoint.js';
import { addConfigured, addKey } from '../http/requestHeaders.js';

/**
 * The version of the API that this client and the SDK speak. An endpoint's own `anthropic-version` header replaces
 * it, for servers that only know an older version.
 */
export const API_VERSION = '2026-10-21';

/**
 * All headers of a request; `accept` is the content type of the answer. They are made here, because the SDK adds
 * more: the machine's system and processor, and values from environment variables. The endpoint's own headers come
 * last and win. Throws `auth` for a key, and `invalidInput` for a header, that cannot be sent.
 */
export function requestHeaders(endpoint: Endpoint, key: string | null, accept: string): Headers {
  const headers = new Headers({ accept, 'content-type': 'application/json', 'anthropic-version': API_VERSION });
  addKey(headers, key, endpoint);
  addConfigured(headers, endpoint);
  return headers;
}
