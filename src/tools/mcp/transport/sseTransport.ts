/* oxlint-disable typescript/no-deprecated -- some servers still have only this transport */
import { SSEClientTransport } from '@modelcontextprotocol/client';
import { failure, type LoupeError } from '../../../engine/errors.js';
import type { HttpLaunch } from '../mcpLaunch.js';
import { type GuardOptions, transportOptions } from './transportOptions.js';

/**
 * The SDK's transport for servers from before streamable HTTP, with the guarded `fetch`. The server sends all its
 * messages in one event stream. Closes when the stream ends, because a new stream would be a new session.
 */
export class SseTransport extends SSEClientTransport {
  /** Always null, because Loupe starts no process. */
  readonly ending = null;
  #failure: LoupeError | null = null;
  #hasStream = false;

  constructor(launch: HttpLaunch, options: Omit<GuardOptions, 'tooMuch'>) {
    const tooMuch = (error: LoupeError): void => {
      this.#failure ??= error;
      void this.close();
    };
    const guarded = transportOptions(launch, { ...options, tooMuch });
    super(new URL(launch.url), {
      ...guarded,
      fetch: async (to, init) => {
        if (init?.method === 'POST') {
          return guarded.fetch(to, init);
        }
        if (this.#hasStream) {
          void this.close();
          throw failure('mcp.connectionClosed');
        }
        const response = await guarded.fetch(to, init);
        // After a refusal, the SDK renews the sign-in and asks for the stream again.
        this.#hasStream = response.ok;
        return response;
      },
    });
  }

  /** The reason why Loupe ended the transport. Null when Loupe did not end the transport. */
  get failure(): LoupeError | null {
    return this.#failure;
  }
}
