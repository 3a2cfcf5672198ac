import type { Anthropic } from '@anthropic-ai/sdk';
import type { Endpoint } from '../endpoint.js';
import { guardedFetch } from '../http/guardedFetch.js';

/** The longest time that a timer can have, in ms (2^31 - 1): only the limit on silence rules, not the SDK's own. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The SDK demands a key and puts it into headers of its own, which are not sent. It never gets the real one. */
const NOT_THE_KEY = 'the-headers-are-made-elsewhere';

/** The SDK, set up for one request and with every habit of its own turned off. */
export interface Connection {
  readonly client: Anthropic;
  /** What the request failed with before it had an answer; the SDK does not always pass it on. Null before. */
  failure(): unknown;
}

/** Loads the SDK at its first use: a chat with another provider never reads it. */
export async function openConnection(endpoint: Endpoint, headers: Headers): Promise<Connection> {
  const { Anthropic: Client } = await import('@anthropic-ai/sdk');
  const send = guardedFetch(endpoint);
  let failure: unknown = null;
  const client = new Client({
    // The address that `/v1/...` follows; many servers are named with the `/v1`.
    baseURL: endpoint.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, ''),
    apiKey: NOT_THE_KEY,
    webhookKey: null,
    maxRetries: 0,
    timeout: LONGEST_TIMER_MS,
    logLevel: 'off',
    openTelemetry: false,
    fetch: async (input, init) => {
      try {
        return await send(input, { ...init, headers });
      } catch (thrown) {
        failure = thrown;
        throw thrown;
      }
    },
  });
  return { client, failure: () => failure };
}
