import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client';
import type { LoupeError } from '../../../engine/errors.js';
import type { McpLimits } from '../limits.js';
import type { HttpLaunch } from '../mcpLaunch.js';
import type { ServerSignIn } from '../signIn/serverSignIn.js';
import { guardedFetch } from './guardedFetch.js';

export interface GuardOptions {
  readonly name: string;
  readonly limits: McpLimits;
  /** Null for a server with an `Authorization` header in its configuration, which counts instead. */
  readonly signIn: ServerSignIn | null;
  readonly tooMuch: (error: LoupeError) => void;
}

interface TransportOptions {
  readonly fetch: FetchLike;
  readonly requestInit: RequestInit;
  readonly authProvider?: AuthProvider;
}

/** Returns the SDK's options for a server at an address: the guarded `fetch`, the configured headers, the sign-in. */
export function transportOptions({ headers }: HttpLaunch, { name, limits, signIn, tooMuch }: GuardOptions): TransportOptions {
  const guarded = guardedFetch(name, limits, tooMuch);
  const requestInit = { headers: { ...headers } };
  if (signIn === null) {
    return { fetch: guarded, requestInit };
  }
  const fetch: FetchLike = async (url, init) => {
    const response = await guarded(url, init);
    signIn.saw(response);
    return response;
  };
  return { fetch, requestInit, authProvider: signIn };
}
