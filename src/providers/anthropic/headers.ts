import { failure } from '../../engine/errors.js';
import type { Endpoint } from '../endpoint.js';

/**
 * The version of the API whose request and answer forms this client knows: that of the SDK. An endpoint's own
 * `anthropic-version` header replaces it, for servers that know only an older one.
 */
export const API_VERSION = '2026-10-21';

/** Visible ASCII: anything else cannot be in the header. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/**
 * All headers of a request; `accept` is the kind of answer that is wanted. They are made here and not by the SDK, which
 * adds what nobody asked for (the machine's system and processor) and what environment variables of other programs say.
 * The endpoint's own headers come last and win. Throws `auth` for a key, `invalidInput` for a header, that cannot be sent.
 */
export function requestHeaders(endpoint: Endpoint, key: string | null, accept: string): Headers {
  const headers = new Headers({ accept, 'content-type': 'application/json', 'anthropic-version': API_VERSION });
  if (key !== null) {
    if (!SENDABLE_KEY.test(key)) {
      throw failure('provider.badKey', endpoint);
    }
    headers.set('authorization', `Bearer ${key}`);
  }
  for (const [name, value] of Object.entries(endpoint.headers)) {
    setHeader(headers, name, value, endpoint);
  }
  return headers;
}

function setHeader(headers: Headers, name: string, value: string, endpoint: Endpoint): void {
  try {
    headers.set(name, value);
  } catch (thrown) {
    // The reason quotes the value, which may be a secret: it is not kept.
    if (thrown instanceof TypeError) {
      throw failure('provider.badHeader', { label: endpoint.label, name });
    }
    throw thrown;
  }
}
