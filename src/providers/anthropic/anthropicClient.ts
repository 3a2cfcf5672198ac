import { ReplyingModel } from '../answerer.js';
import { failure } from '../../engine/errors.js';
import type { Model, StreamPart, WireRequest } from '../../engine/model/model.js';
import { type ExchangeListener, UNRECORDED } from '../../engine/model/httpExchange.js';
import type { Endpoint, EndpointClient, ListedModel } from '../endpoint.js';
import type { ProviderResponse } from '../http/answer.js';
import { isLostConnection, isRestNotNeeded } from '../http/connection.js';
import { type RequestAtPath, request } from '../http/request.js';
import { EventLoopTurns } from '../http/turns.js';
import { count, member, textMember, tokenLimit, wordsMember } from '../json.js';
import { convert } from './convert.js';
import { AnthropicReplyReader } from './stream.js';
import { isObject } from '../../engine/json.js';
import { listedWindow, otherUse } from '../listedModels.js';

/** Version of Anthropic's API that this client uses. An `anthropic-version` header in the settings replaces it. */
const API_VERSION = '2026-10-21';

/** The header for the key (docs.anthropic.com/en/api/overview). The settings of a gateway can name another header. */
const KEY_HEADER = 'x-api-key';

const JSON_ANSWER = 'application/json';
const EVENT_STREAM = 'text/event-stream';

/** Number of models per page of the list: the maximum of the API. */
const PAGE_SIZE = 1_000;
/** Maximum number of pages to read, more than any list has. Protects from a server with an endless list. */
const MOST_PAGES = 20;

/** A call to the API. `path` is below `/v1`. */
interface AnthropicCall extends RequestAtPath {
  readonly accept: string;
}

/** A client for the Messages API at one endpoint. Sends a converted body byte for byte. */
export class AnthropicClient implements EndpointClient {
  readonly convert = convert;
  readonly #endpoint: Endpoint;
  readonly #turns = new EventLoopTurns();

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /** Streams a reply. A reply is complete after its stop reason and usage, even if the connection breaks then. */
  async *stream(model: Model, { body }: WireRequest, signal: AbortSignal, exchanged: ExchangeListener): AsyncGenerator<StreamPart, void> {
    const answer = await this.#ask({ path: '/messages', body, accept: EVENT_STREAM, use: 'user', signal, exchanged });
    const reader = new AnthropicReplyReader(model);
    const answerer = new ReplyingModel(this.#endpoint, model.ref.model);
    let isEmpty = true;
    try {
      for await (const event of answer.events(this.#turns)) {
        answerer.take(modelIn(event));
        const parts = reader.read(event);
        if (reader.hasStopReason) {
          answer.expectEnd();
        }
        for (const part of parts) {
          isEmpty = false;
          yield answerer.named(part);
        }
      }
    } catch (thrown) {
      if (!isRestNotNeeded(thrown) && (!reader.isFinished || !isLostConnection(thrown))) {
        throw thrown;
      }
    }
    for (const part of reader.end()) {
      isEmpty = false;
      yield answerer.named(part);
    }
    if (isEmpty) {
      throw answer.noReply();
    }
    if (reader.isOver && !reader.isFinished) {
      throw failure('provider.endedUntold', this.#endpoint);
    }
  }

  async countTokens(_model: Model, { body }: WireRequest, signal: AbortSignal): Promise<number> {
    const asked = { path: '/messages/count_tokens', body: countRequest(body), accept: JSON_ANSWER, use: 'background' } as const;
    const answer = await this.#ask({ ...asked, signal, exchanged: UNRECORDED });
    const tokens = count(member(await answer.json(), 'input_tokens'));
    if (tokens === null) {
      throw failure('provider.noCount', this.#endpoint);
    }
    return tokens;
  }

  async listModels(signal: AbortSignal): Promise<readonly ListedModel[]> {
    const models = new Map<string, ListedModel>();
    let after: string | null = null;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(after === null ? {} : { after_id: after }) });
      const asked = { path: `/models?${query.toString()}`, body: null, accept: JSON_ANSWER, use: 'user' } as const;
      const answer: ProviderResponse = await this.#ask({ ...asked, signal, exchanged: UNRECORDED });
      const found = modelPage(await answer.json(), this.#endpoint.label);
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

  #ask({ path, accept, ...sent }: AnthropicCall): Promise<ProviderResponse> {
    // Removes `/v1`, because the configured address can end with or without it.
    const base = this.#endpoint.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
    const headers = { accept, 'anthropic-version': API_VERSION };
    return request(this.#endpoint, { ...sent, url: `${base}/v1${path}`, headers, keyHeader: KEY_HEADER });
  }
}

/** Returns the model id in an event: in the first event of a stream, or in a whole reply. */
function modelIn(event: unknown): string | null {
  return textMember(member(event, 'message'), 'model') ?? textMember(event, 'model');
}

/**
 * Members that `POST /v1/messages/count_tokens` accepts (`MessageCountTokensParams` of the official client). The
 * endpoint refuses other members, such as `max_tokens` and `stream`.
 */
const COUNTED_MEMBERS: ReadonlySet<string> = new Set([
  'cache_control',
  'messages',
  'model',
  'output_config',
  'speed',
  'system',
  'thinking',
  'tool_choice',
  'tools',
]);

export function countRequest(body: string): string {
  const whole: unknown = JSON.parse(body);
  if (!isObject(whole)) {
    throw failure('internal.defect', { text: 'A request that is no JSON object was to be counted.' });
  }
  return JSON.stringify(Object.fromEntries(Object.entries(whole).filter(([name]) => COUNTED_MEMBERS.has(name))));
}

interface ModelPage {
  readonly models: readonly ListedModel[];
  /** The id after which the next page starts. Null on the last page. */
  readonly next: string | null;
}

/** Reads a page of `GET /v1/models`. Throws `protocol` for other responses. A token limit of 0 counts as unknown. */
export function modelPage(body: unknown, label: string): ModelPage {
  const data = member(body, 'data');
  if (!Array.isArray(data)) {
    throw failure('provider.notModelList', { label });
  }
  const models = data.flatMap(listedModel);
  return { models, next: member(body, 'has_more') === true ? textMember(body, 'last_id') : null };
}

function listedModel(entry: unknown): ListedModel[] {
  const id = wordsMember(entry, 'id');
  const maxInputTokens = tokenLimit(member(entry, 'max_input_tokens')) ?? listedWindow(entry);
  const maxOutputTokens = tokenLimit(member(entry, 'max_tokens'));
  const label = wordsMember(entry, 'display_name');
  return id === null ? [] : [{ id, label, maxInputTokens, maxOutputTokens, otherUse: otherUse(id, entry) }];
}
