import type { Anthropic } from '@anthropic-ai/sdk';
import type { ExchangeListener } from '../../engine/run/exchange.js';
import type { Endpoint } from '../endpoint.js';
import { guardedFetch } from '../http/guardedFetch.js';

/** The longest time of a timer in ms (2^31 - 1): only Loupe's limit on silence counts, not the SDK's timeout. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The SDK demands a key and puts it into its own headers, which are not sent. It never gets the real key. */
const NOT_THE_KEY = 'the-headers-are-made-elsewhere';

/** The SDK, set up for one request, with all of its own behaviour turned off. */
export interface Connection {
  readonly client: Anthropic;
  /** The error before the answer, which the SDK does not always pass on; null without one. */
  failure(): unknown;
}

/** Loads the SDK at its first use: chats with other providers never load it. */
export async function openConnection(endpoint: Endpoint, headers: Headers, exchanged: ExchangeListener): Promise<Connection> {
  const { Anthropic: Client } = await import('@anthropic-ai/sdk');
  const send = guardedFetch(endpoint, exchanged);
  let failure: unknown = null;
  const client = new Client({
    // The SDK appends `/v1/...`; many servers are configured with the `/v1`.
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
