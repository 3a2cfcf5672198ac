import { failure } from '../../engine/errors.js';
import type { Endpoint } from '../endpoint.js';

/**
 * All headers that Loupe sends: those of the configuration and those of the protocol, which win. Without a key there
 * is no `Authorization`, but for a configured one. Throws `auth` for a key and `invalidInput` for a configured header
 * that HTTP cannot carry; neither value is in the message.
 */
export function requestHeaders(endpoint: Endpoint, key: string | null): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(endpoint.headers)) {
    if (!set(headers, name, value)) {
      throw failure('provider.badHeader', { label: endpoint.label, name });
    }
  }
  headers.set('accept', 'application/json');
  headers.set('content-type', 'application/json');
  if (key !== null && !set(headers, 'authorization', `Bearer ${key}`)) {
    throw failure('provider.badKey', endpoint);
  }
  return headers;
}

function set(headers: Headers, name: string, value: string): boolean {
  try {
    headers.set(name, value);
    return true;
  } catch {
    // The error quotes the value, which may be secret.
    return false;
  }
}
