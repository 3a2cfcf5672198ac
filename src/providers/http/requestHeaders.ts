import { failure } from '../../engine/errors.js';
import type { Endpoint } from '../endpoint.js';

/** Visible ASCII: anything else cannot be in the header. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/** Adds the key, where there is one. Throws `auth` for one that cannot be sent. */
export function addKey(headers: Headers, key: string | null, endpoint: Endpoint): void {
  if (key !== null && !SENDABLE_KEY.test(key)) {
    throw failure('provider.badKey', endpoint);
  }
  if (key !== null) {
    headers.set('authorization', `Bearer ${key}`);
  }
}

/** Adds the headers of the configuration. Throws `invalidInput` for one that cannot be sent; its value is not in the message. */
export function addConfigured(headers: Headers, endpoint: Endpoint): void {
  for (const [name, value] of Object.entries(endpoint.headers)) {
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
}
