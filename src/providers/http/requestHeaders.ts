import { failure } from '../../engine/errors.js';
import type { Endpoint } from '../endpoint.js';

/** Visible ASCII: a header can carry no other characters. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/** Adds the key, if there is one. Throws `auth` for a key that cannot be sent. */
export function addKey(headers: Headers, key: string | null, endpoint: Endpoint): void {
  if (key !== null && !SENDABLE_KEY.test(key)) {
    throw failure('provider.badKey', endpoint);
  }
  if (key !== null) {
    headers.set('authorization', `Bearer ${key}`);
  }
}

/** Adds the configured headers. Throws `invalidInput` for one that cannot be sent, without its value in the message. */
export function addConfigured(headers: Headers, endpoint: Endpoint): void {
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
}
