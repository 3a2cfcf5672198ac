import type { FetchLike } from '@modelcontextprotocol/client';
import { failure, LoupeError } from '../../../engine/errors.js';
import { guardedFetch } from '../transport/guardedFetch.js';
import type { McpLimits } from '../limits.js';

/** Maximum size of an answer in bytes. Metadata and tokens have a few KB. */
const LARGEST_ANSWER = 1024 * 1024;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export interface SignInFetchOptions {
  readonly name: string;
  readonly server: URL;
  readonly limits: McpLimits;
  readonly signal: AbortSignal;
}

/**
 * Returns the guarded `fetch` for the requests of a sign-in. These requests have no configured headers. Other servers
 * name their addresses, so `checkPlace` checks each address. Rejects with a `TypeError` that has the `LoupeError` as
 * its cause, because the SDK ignores other errors and tries older addresses.
 */
export function signInFetch({ name, server, limits, signal }: SignInFetchOptions): FetchLike {
  const guarded = guardedFetch(name, { ...limits, messageBytes: LARGEST_ANSWER }, () => undefined);
  return async (url, init) => {
    const place = new URL(url);
    const isRead = (init?.method ?? 'GET') === 'GET';
    // A server inside of a network may have no https. Its own metadata then has none, either.
    if (!isRead || place.origin !== server.origin) {
      checkPlace(place, server);
    }
    try {
      return await guarded(place, { ...init, signal });
    } catch (thrown) {
      if (isRead && thrown instanceof LoupeError && thrown.code === 'mcp.redirects') {
        // There is no metadata at this address. The SDK tries the next one.
        return new Response(null, { status: 404 });
      }
      throw asTypeError(thrown);
    }
  };
}

/** Throws unless an address is safe for the sign-in to a server: encrypted, or on this computer like the server. */
export function checkPlace(place: URL, server: URL): void {
  const isLocal = place.protocol === 'http:' && LOOPBACK.test(place.hostname) && LOOPBACK.test(server.hostname);
  if (place.protocol !== 'https:' && !isLocal) {
    throw asTypeError(failure('mcp.unsafeSignIn', { place: place.origin === 'null' ? place.protocol : place.origin }));
  }
}

function asTypeError(thrown: unknown): unknown {
  return thrown instanceof LoupeError ? new TypeError(thrown.message, { cause: thrown }) : thrown;
}
