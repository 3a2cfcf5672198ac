import { failure, refuseAborted, type LoupeError } from '../../engine/errors.js';
import type { Model, StreamPart, WireRequest } from '../../engine/run/model.js';
import { type ExchangeListener, UNRECORDED } from '../../engine/run/exchange.js';
import type { Endpoint, EndpointClient, KeyUse, ListedModel } from '../endpoint.js';
import { openConnection, type Connection } from './connection.js';
import { convert } from './convert.js';
import { countRequest } from './countRequest.js';
import { requestError, type RequestContext } from './errors.js';
import { parseJson } from '../../engine/json.js';
import { count, member, textMember } from '../json.js';
import { requestHeaders } from './headers.js';
import { modelPage } from './modelList.js';
import { ReplyReader } from './stream.js';

const JSON_ANSWER = 'application/json';
const EVENT_STREAM = 'text/event-stream';

/** Content types that are no event stream: a proxy's page, or an answer of another API. */
const NO_STREAM = /^(?:text\/html|application\/json)\b/i;

/** Models per page of the list: the most that the API allows. */
const PAGE_SIZE = 1_000;
/** Far more pages than any list has; stops at a server whose list never ends. */
const MOST_PAGES = 20;

type Request = RequestContext & { readonly connection: Connection };

interface Opening {
  /** Content type of the answer. */
  readonly accept: string;
  readonly use: KeyUse;
  readonly exchanged: ExchangeListener;
}

/**
 * The Messages API at one endpoint. Each request asks for the key anew, is sent once and is never repeated here. The
 * body is sent byte for byte as it was converted. All errors are `LoupeError`s without the key.
 */
export class AnthropicClient implements EndpointClient {
  readonly convert = convert;
  readonly #endpoint: Endpoint;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  async *stream(_model: Model, { body }: WireRequest, signal: AbortSignal, exchanged: ExchangeListener): AsyncGenerator<StreamPart, void> {
    const request = await this.#open(signal, { accept: EVENT_STREAM, use: 'user', exchanged });
    const reader = new ReplyReader();
    try {
      for await (const event of await eventsOf(request, body)) {
        yield* reader.read(event);
      }
    } catch (thrown) {
      throw failureOf(request, thrown);
    }
    // The SDK ends an aborted stream as if it were complete.
    refuseAborted(signal, 'request.stopped');
    yield* reader.end();
  }

  async countTokens(_model: Model, { body }: WireRequest, signal: AbortSignal): Promise<number> {
    const answer = await this.#ask(signal, 'background', ({ client }) =>
      client.post<unknown>('/v1/messages/count_tokens', {
        body: countRequest(body),
        headers: { 'content-type': JSON_ANSWER },
        signal,
      }),
    );
    const tokens = count(member(answer, 'input_tokens'));
    if (tokens === null) {
      throw failure('provider.noCount', this.#endpoint);
    }
    return tokens;
  }

  async listModels(signal: AbortSignal): Promise<readonly ListedModel[]> {
    const models = new Map<string, ListedModel>();
    let after: string | null = null;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const query = { limit: PAGE_SIZE, ...(after === null ? {} : { after_id: after }) };
      const answer = await this.#ask(signal, 'user', ({ client }) => client.get<unknown>('/v1/models', { query, signal }));
      const found = modelPage(answer, this.#endpoint.label);
      for (const model of found.models) {
        models.set(model.id, model);
      }
      after = found.next;
      if (after === null) {
        return [...models.values()];
      }
    }
    throw failure('provider.endlessModelList', this.#endpoint);
  }

  /** Sends a request whose answer is one JSON value. */
  async #ask(signal: AbortSignal, use: KeyUse, send: (connection: Connection) => PromiseLike<unknown>): Promise<unknown> {
    const request = await this.#open(signal, { accept: JSON_ANSWER, use, exchanged: UNRECORDED });
    try {
      return await send(request.connection);
    } catch (thrown) {
      throw failureOf(request, thrown);
    }
  }

  async #open(signal: AbortSignal, { accept, use, exchanged }: Opening): Promise<Request> {
    const endpoint = this.#endpoint;
    refuseAborted(signal, 'request.stopped');
    const key = await endpoint.key(use);
    const connection = await openConnection(endpoint, requestHeaders(endpoint, key, accept), exchanged);
    refuseAborted(signal, 'request.stopped');
    return { endpoint, key, signal, connection };
  }
}

async function eventsOf({ connection, endpoint, signal }: Request, body: string): Promise<AsyncIterable<unknown>> {
  const { data, response } = await connection.client
    .post<AsyncIterable<unknown>>('/v1/messages', {
      body,
      // With this header the SDK sends a text unchanged.
      headers: { 'content-type': JSON_ANSWER },
      stream: true,
      signal,
    })
    .withResponse();
  const contentType = response.headers.get('content-type') ?? '';
  const instead = NO_STREAM.exec(contentType)?.[0];
  if (instead === undefined) {
    return data;
  }
  const answer = parseJson(await response.text());
  if (textMember(answer, 'type') === 'message') {
    return only(answer);
  }
  throw failure('provider.noReply', { label: endpoint.label, instead });
}

/** The whole reply of a server that does not stream, as its only event. */
async function* only(answer: unknown): AsyncGenerator {
  yield await Promise.resolve(answer);
}

/** The connection's own error, where the SDK has lost it; else the error of the SDK. */
function failureOf(request: Request, thrown: unknown): LoupeError {
  return requestError(request.connection.failure() ?? thrown, request);
}
