import type OpenAI from 'openai';
import { failure, refuseAborted } from '../../engine/errors.js';
import type { ErrorKind } from '../../engine/failures/entry.js';
import type { Model, StreamPart, WireRequest } from '../../engine/run/model.js';
import { type ExchangeListener, UNRECORDED } from '../../engine/run/exchange.js';
import type { Endpoint, EndpointClient, KeyUse, ListedModel } from '../endpoint.js';
import { guardedFetch } from '../http/guardedFetch.js';
import { wholeReply } from './answerKind.js';
import { convert } from './convert.js';
import { vectorsIn } from './embeddings.js';
import { errorIn, requestError, streamError, type RequestContext } from './errors.js';
import { listedModels } from './listedModels.js';
import { requestHeaders } from './requestHeaders.js';
import { ReplyReader } from './stream.js';

/** The SDK's timeout: the longest time of a timer, because only silence is limited, not the whole reply. */
const NO_TIME_LIMIT_MS = 2 ** 31 - 1;

/** The SDK requires a key. This one is never sent: Loupe writes the headers. */
const PLACEHOLDER_KEY = 'unused';

const NO_SUCH_PATH: ReadonlySet<number> = new Set([404, 405, 501]);

/** Failures of the connection, as opposed to errors of the server. */
const CONNECTION_FAILURES: ReadonlySet<ErrorKind> = new Set(['network', 'timeout', 'incomplete']);

interface Call extends RequestContext {
  readonly client: OpenAI;
}

/** The client of one endpoint that speaks Chat Completions. Its only state is its configuration. */
export class OpenAiCompatibleClient implements EndpointClient {
  readonly convert = convert;
  readonly #endpoint: Endpoint;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /** When the connection breaks after the finish reason, the reply is complete, and only its usage may be unknown. */
  async *stream(model: Model, { body }: WireRequest, signal: AbortSignal, exchanged: ExchangeListener): AsyncGenerator<StreamPart, void> {
    const call = await this.#call(signal, exchanged, 'user');
    const reader = new ReplyReader(model);
    try {
      for await (const chunk of chunks(call, body)) {
        yield* reader.take(chunk);
      }
    } catch (thrown) {
      const error = requestError(thrown, call);
      if (!reader.isFinished || !CONNECTION_FAILURES.has(error.kind)) {
        throw error;
      }
    }
    // The SDK ends an aborted stream as if it were complete.
    refuseAborted(signal, 'request.stopped');
    yield* reader.end();
  }

  countTokens(): Promise<number> {
    return Promise.reject(failure('provider.cannotCount', this.#endpoint));
  }

  async listModels(signal: AbortSignal): Promise<readonly ListedModel[]> {
    const call = await this.#call(signal, UNRECORDED, 'user');
    const answer = await call.client.get<unknown>('/models', { signal }).catch((thrown: unknown) => {
      if (thrown instanceof call.sdk.APIError && NO_SUCH_PATH.has(Number(thrown.status))) {
        throw failure('provider.noModelList', this.#endpoint);
      }
      throw requestError(thrown, call);
    });
    const models = listedModels(answer);
    if (models === null) {
      throw failure('provider.noModelList', this.#endpoint);
    }
    return models;
  }

  /** A vector for each text. Never asks for a key: the user waits for something else. Throws a `LoupeError`. */
  async embed(model: string, texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]> {
    const call = await this.#call(signal, UNRECORDED, 'background');
    const body = { model, input: texts, encoding_format: 'float' };
    const answer = await call.client.post<unknown>('/embeddings', { body, signal }).catch((thrown: unknown) => {
      throw requestError(thrown, call);
    });
    const error = errorIn(answer);
    if (error !== undefined) {
      throw streamError(error, new Headers(), call);
    }
    return vectorsIn(answer, texts.length, call.endpoint);
  }

  /**
   * A client of the SDK for one request. It takes nothing from environment variables: options that it would read from
   * there are set here, and its headers, to which `OPENAI_CUSTOM_HEADERS` adds, are replaced before the request is
   * sent.
   */
  async #call(signal: AbortSignal, exchanged: ExchangeListener, use: KeyUse): Promise<Call> {
    const endpoint = this.#endpoint;
    // Loaded at the first request, to keep the start of the extension fast.
    const [sdk, key] = await Promise.all([import('openai'), endpoint.key(use)]);
    refuseAborted(signal, 'request.stopped');
    const headers = requestHeaders(endpoint, key);
    const guarded = guardedFetch(endpoint, exchanged);
    const client = new sdk.OpenAI({
      apiKey: PLACEHOLDER_KEY,
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      baseURL: endpoint.baseUrl,
      maxRetries: 0,
      timeout: NO_TIME_LIMIT_MS,
      logLevel: 'off',
      fetch: (url, init) => guarded(url, { ...init, headers }),
    });
    return { sdk, client, endpoint, key, signal };
  }
}

/** The chunks of the reply to a request. The body is sent byte for byte. */
async function* chunks(call: Call, body: string): AsyncGenerator {
  const { data, response } = await call.client
    .post<AsyncIterable<unknown>>('/chat/completions', {
      body,
      // With a content type the SDK sends a string unchanged; without one it would encode it as JSON.
      headers: { 'content-type': 'application/json' },
      stream: true,
      signal: call.signal,
    })
    .withResponse();
  const whole = await wholeReply(response, call);
  if (whole !== null) {
    yield whole;
    return;
  }
  for await (const chunk of data) {
    const error = errorIn(chunk);
    if (error !== undefined) {
      throw streamError(error, response.headers, call);
    }
    yield chunk;
  }
}
