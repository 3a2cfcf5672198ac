/* oxlint-disable typescript/no-deprecated -- some servers still have only this transport */
import { SSEClientTransport } from '@modelcontextprotocol/client';
import { failure, type LoupeError } from '../../../engine/errors.js';
import type { McpLimits } from '../limits.js';
import type { HttpLaunch } from '../mcpLaunch.js';
import { guardedFetch } from './guardedFetch.js';

/**
 * The SDK's transport for servers from before streamable HTTP, with the guarded `fetch`. The server sends all its
 * messages in one event stream. Closes when the stream ends, because a new stream would be a new session.
 */
export class SseTransport extends SSEClientTransport {
  /** Always null, because Loupe starts no process. */
  readonly ending = null;
  #failure: LoupeError | null = null;
  #hasStream = false;

  constructor({ url, headers }: HttpLaunch, name: string, limits: McpLimits) {
    const guarded = guardedFetch(name, limits, (error) => {
      this.#failure ??= error;
      void this.close();
    });
    super(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: (to, init) => {
        if (init?.method === 'POST') {
          return guarded(to, init);
        }
        if (this.#hasStream) {
          void this.close();
          return Promise.reject(failure('mcp.connectionClosed'));
        }
        this.#hasStream = true;
        return guarded(to, init);
      },
    });
  }

  /** The reason why Loupe ended the transport. Null when Loupe did not end the transport. */
  get failure(): LoupeError | null {
    return this.#failure;
  }
}
