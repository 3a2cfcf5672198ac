import type OpenAI from 'openai';
import { failure, refuseAborted } from '../../engine/errors.js';
import type { ErrorKind } from '../../engine/failures/entry.js';
import type { Model, StreamPart, WireRequest } from '../../engine/run/model.js';
import type { Endpoint, EndpointClient, ListedModel } from '../endpoint.js';
import { guardedFetch } from '../http/guardedFetch.js';
import { checkIsStream } from './answerKind.js';
import { convert } from './convert.js';
import { errorIn, requestError, streamError, type RequestContext } from './errors.js';
import { listedModels } from './listedModels.js';
import { requestHeaders } from './requestHeaders.js';
import { ReplyReader } from './stream.js';

/** The SDK's time limit, as long as a timer can be: a reply may take its time, and only silence is too long. */
const NO_TIME_LIMIT_MS = 2 ** 31 - 1;

/** The SDK insists on a key. It never leaves this process: the headers are written here. */
const PLACEHOLDER_KEY = 'unused';

const NO_SUCH_PATH: ReadonlySet<number> = new Set([404, 405, 501]);

/** Failures of the connection, as opposed to what the server says. */
const CONNECTION_FAILURES: ReadonlySet<ErrorKind> = new Set(['network', 'timeout', 'incomplete']);

interface Call extends RequestContext {
  readonly client: OpenAI;
}

/** The way to one endpoint that speaks Chat Completions. It keeps no state but its configuration. */
export class OpenAiCompatibleClient implements EndpointClient {
  readonly convert = convert;
  readonly #endpoint: Endpoint;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /**
   * A connection that breaks after the server gave its finish reason takes nothing away from the reply, at most its
   * usage, which is then unknown: such a reply is complete.
   */
  async *stream(model: Model, { body }: WireRequest, signal: AbortSignal): AsyncGenerator<StreamPart, void> {
    const call = await this.#call(signal);
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
    // The SDK ends an aborted stream as if it were over.
    refuseAborted(signal, 'request.stopped');
    yield* reader.end();
  }

  countTokens(): Promise<number> {
    return Promise.reject(failure('provider.cannotCount', this.#endpoint));
  }

  async listModels(signal: AbortSignal): Promise<readonly ListedModel[]> {
    const call = await this.#call(signal);
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

  /**
   * A client of the SDK for one request. It takes nothing from the environment: what it would read from there is set
   * here, and its headers, to which `OPENAI_CUSTOM_HEADERS` adds, are replaced on the way out.
   */
  async #call(signal: AbortSignal): Promise<Call> {
    const endpoint = this.#endpoint;
    // Loaded at the first request, so that starting the extension does not read it.
    const [sdk, key] = await Promise.all([import('openai'), endpoint.key('user')]);
    refuseAborted(signal, 'request.stopped');
    const headers = requestHeaders(endpoint, key);
    const guarded = guardedFetch(endpoint);
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

/** The chunks of the reply to a request whose body goes out byte for byte. */
async function* chunks(call: Call, body: string): AsyncGenerator {
  const { data, response } = await call.client
    .post<AsyncIterable<unknown>>('/chat/completions', {
      body,
      // With a content type the SDK passes a string on as it is; without one it would encode it as JSON.
      headers: { 'content-type': 'application/json' },
      stream: true,
      signal: call.signal,
    })
    .withResponse();
  await checkIsStream(response, call);
  for await (const chunk of data) {
    const error = errorIn(chunk);
    if (error !== undefined) {
      throw streamError(error, response.headers, call);
    }
    yield chunk;
  }
}
