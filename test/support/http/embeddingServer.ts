import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import type { JsonObject } from '../../../src/engine/json.js';
import type { Embedder } from '../../../src/providers/endpoint.js';
import { configuredEmbedder } from '../../../src/host/models/providers/configuredProviders.js';
import { DEFAULT_SILENCE_SECONDS, type ModelConfig, type ProviderConfig } from '../../../src/host/models/providers/providerConfig.js';

interface Asked {
  readonly model: string;
  readonly input: readonly string[];
}

/** A local server with an OpenAI-compatible `POST /v1/embeddings`. */
export class EmbeddingServer {
  readonly asked: Asked[] = [];
  usage: JsonObject | null = null;
  /** The status of all answers. Null never answers. */
  status: number | null = 200;
  readonly #vectorsOf: (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  constructor(vectorsOf: (texts: readonly string[]) => Promise<readonly (readonly number[])[]>) {
    this.#vectorsOf = vectorsOf;
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/v1`;
  }

  get texts(): readonly string[] {
    return this.asked.flatMap(({ input }) => input);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = (await readJson(request)) as Asked;
    this.asked.push(asked);
    if (this.status === null) {
      return;
    }
    const vectors = await this.#vectorsOf(asked.input);
    const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    response.writeHead(this.status, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        this.status === 200
          ? { object: 'list', data, ...(this.usage === null ? {} : { usage: this.usage }) }
          : { error: { message: 'Out of order' } },
      ),
    );
  }
}

/** The model `house/small` at this address, as configured in the settings. */
export function embedderAt(baseUrl: string, model: string, key: string | null): Embedder {
  return configuredEmbedder({ provider: 'house', model }, [houseAt(baseUrl, [])], () => Promise.resolve(key));
}

/** The same with a price in US dollars per million tokens. */
export function pricedEmbedderAt(baseUrl: string, model: string, input: number): Embedder {
  const prices = { input, output: 0, cacheRead: input, cacheWrite5m: input, cacheWrite1h: input };
  const limits = { maxInputTokens: null, maxOutputTokens: null };
  const listed = { id: model, label: model, ...limits, prices, capabilities: {}, extraBody: {} };
  return configuredEmbedder({ provider: 'house', model }, [houseAt(baseUrl, [listed])], () => Promise.resolve(null));
}

function houseAt(baseUrl: string, models: readonly ModelConfig[]): ProviderConfig {
  const at = { id: 'house', label: 'House', protocol: 'openai-compatible', baseUrl } as const;
  return { ...at, headers: {}, keyHeader: null, models, countsTokens: false, silenceSeconds: DEFAULT_SILENCE_SECONDS };
}
