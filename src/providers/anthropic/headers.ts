import type { Endpoint } from '../endpoint.js';
import { addConfigured, addKey } from '../http/requestHeaders.js';

/**
 * The version of the API whose request and answer forms this client knows: that of the SDK. An endpoint's own
 * `anthropic-version` header replaces it, for servers that know only an older one.
 */
export const API_VERSION = '2026-10-21';

/**
 * All headers of a request; `accept` is the kind of answer that is wanted. They are made here and not by the SDK, which
 * adds what nobody asked for (the machine's system and processor) and what environment variables of other programs say.
 * The endpoint's own headers come last and win. Throws `auth` for a key, `invalidInput` for a header, that cannot be sent.
 */
export function requestHeaders(endpoint: Endpoint, key: string | null, accept: string): Headers {
  const headers = new Headers({ accept, 'content-type': 'application/json', 'anthropic-version': API_VERSION });
  addKey(headers, key, endpoint);
  addConfigured(headers, endpoint);
  return headers;
}
