import type { Endpoint } from '../endpoint.js';
import { addConfigured, addKey } from '../http/requestHeaders.js';

/**
 * All headers that Loupe sends: the configured ones and those of the protocol, which win. Without a key there is no
 * `Authorization`, unless one is configured. Throws `auth` for a key, and `invalidInput` for a configured header,
 * that HTTP cannot carry. Neither value is in the message.
 */
export function requestHeaders(endpoint: Endpoint, key: string | null): Headers {
  const headers = new Headers();
  addConfigured(headers, endpoint);
  headers.set('accept', 'application/json');
  headers.set('content-type', 'application/json');
  addKey(headers, key, endpoint);
  return headers;
}
