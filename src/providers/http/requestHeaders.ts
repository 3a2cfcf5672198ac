import { failure } from '../../engine/errors.js';
import type { Endpoint, KeyHeader } from '../endpoint.js';

/** Visible ASCII: a header can carry no other characters. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/** What a protocol puts into the headers of a request. */
export interface ProtocolHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** The header for the key, unless the endpoint's configuration names another. */
  readonly keyHeader: KeyHeader;
}

/**
 * All headers of a request: those of the protocol, the configured ones, which win, and the key, if there is one. Throws `auth`
 * for a key, and `invalidInput` for a header, that cannot be sent. Neither value is in the message.
 */
export function requestHeaders(endpoint: Endpoint, key: string | null, own: ProtocolHeaders): Headers {
  const headers = new Headers({ 'content-type': 'application/json', ...own.headers });
  for (const [name, value] of Object.entries(endpoint.headers)) {
    try {
      headers.set(name, value);
    } catch (thrown) {
      // The reason quotes the value, which may be secret: it is not kept.
      if (thrown instanceof TypeError) {
        throw failure('provider.badHeader', { label: endpoint.label, name });
      }
      throw thrown;
    }
  }
  if (key === null) {
    return headers;
  }
  if (!SENDABLE_KEY.test(key)) {
    throw failure('provider.badKey', endpoint);
  }
  const name = endpoint.keyHeader ?? own.keyHeader;
  headers.set(name, name === 'authorization' ? `Bearer ${key}` : key);
  return headers;
}
