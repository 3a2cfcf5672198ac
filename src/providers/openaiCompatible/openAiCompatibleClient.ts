import { ReplyingModel } from '../answerer.js';
import { count, itemsOf, member, textMember, tokenLimit, wordsMember } from '../json.js';
import { failure, toLoupeError } from '../../engine/errors.js';
import type { FailureCode } from '../../engine/failures/failures.js';
import type { Model, StreamPart, WireRequest } from '../../engine/model/model.js';
import { type ExchangeListener, UNRECORDED } from '../../engine/model/httpExchange.js';
import type { Embeddings, Endpoint, EndpointClient, ListedModel } from '../endpoint.js';
import type { ProviderResponse } from '../http/answer.js';
import { isLostConnection, isRestNotNeeded } from '../http/connection.js';
import { type RequestAtPath, request } from '../http/request.js';
import { EventLoopTurns } from '../http/turns.js';
import { convert } from './convert.js';
import { CompletionsReplyReader } from './stream.js';
import { listedWindow, otherUse } from '../listedModels.js';
import type { Usage } from '../../engine/model/usage.js';
import { isObject } from '../../engine/json.js';
import { normalizeUsage } from './usage.js';

/** Errors that mean that a server has no list of models. */
const NO_LIST: ReadonlySet<FailureCode> = new Set(['http.notHere', 'http.modelGone']);

export class OpenAiCompatibleClient implements EndpointClient {
  readonly convert = convert;
  readonly #endpoint: Endpoint;
  readonly #turns = new EventLoopTurns();

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /**
   * Sends the body byte for byte. A reply is complete after its finish reason, even if the connection breaks or the
   * stream does not end. In that case, only the usage may be unknown.
   */
  async *stream(model: Model, { body }: WireRequest, signal: AbortSignal, exchanged: ExchangeListener): AsyncGenerator<StreamPart, void> {
    const answer = await this.#ask({ path: '/chat/completions', body, use: 'user', signal, exchanged });
    const reader = new CompletionsReplyReader(model);
    const answerer = new ReplyingModel(this.#endpoint, model.ref.model);
    let isEmpty = true;
    try {
      for await (const chunk of answer.events(this.#turns)) {
        answerer.take(textMember(chunk, 'model'));
        const parts = reader.take(chunk);
        if (reader.isFinished) {
          answer.expectEnd();
        }
        for (const part of parts) {
          isEmpty = false;
          yield answerer.named(part);
        }
      }
    } catch (thrown) {
      if (!reader.isFinished || !(isLostConnection(thrown) || isRestNotNeeded(thrown))) {
        throw thrown;
      }
    }
    if (isEmpty && !reader.isFinished) {
      throw answer.noReply();
    }
    yield* reader.end().map((part) => answerer.named(part));
    if (!reader.isFinished && answer.isWhole) {
      throw failure('provider.endedUntold', this.#endpoint);
    }
  }

  countTokens(): Promise<number> {
    return Promise.reject(failure('provider.cannotCount', this.#endpoint));
  }

  async listModels(signal: AbortSignal): Promise<readonly ListedModel[]> {
    try {
      const answer = await this.#ask({ path: '/models', body: null, use: 'user', signal, exchanged: UNRECORDED });
      const models = listedModels(await answer.json());
      if (models !== null) {
        return models;
      }
    } catch (thrown) {
      const error = toLoupeError(thrown);
      if (!NO_LIST.has(error.code)) {
        throw error;
      }
      throw failure('provider.noModelList', this.#endpoint, { cause: error });
    }
    throw failure('provider.noModelList', this.#endpoint);
  }

  /** Returns a vector for each text. Reads the key without asking the user. Throws a `LoupeError`. */
  async embed(model: string, texts: readonly string[], signal: AbortSignal, exchanged: ExchangeListener): Promise<Embeddings> {
    const body = JSON.stringify({ model, input: texts, encoding_format: 'float' });
    const answer = await this.#ask({ path: '/embeddings', body, use: 'background', signal, exchanged });
    const sent = await answer.json();
    return { vectors: vectorsIn(sent, texts.length, this.#endpoint), usage: embeddingUsage(sent) };
  }

  #ask({ path, ...sent }: RequestAtPath): Promise<ProviderResponse> {
    const { baseUrl } = this.#endpoint;
    return request(this.#endpoint, {
      ...sent,
      url: `${baseUrl}${path}`,
      headers: { accept: 'application/json' },
      keyHeader: 'authorization',
    });
  }
}

/* Reads lists of models. The protocol defines only ids. Many servers add token limits, under different names. */

/** Member name of the output limit in tokens: in Groq's entries, and in OpenRouter's `top_provider`. */
const OUTPUT_NAME = 'max_completion_tokens';

/** Returns the models in a response to `GET /models`. Null without a list. Skips entries without an id. */
export function listedModels(answer: unknown): ListedModel[] | null {
  // Together sends the list itself instead of an object with `data`.
  const entries = Array.isArray(answer) ? answer : member(answer, 'data');
  if (!Array.isArray(entries)) {
    return null;
  }
  return itemsOf(entries).flatMap((entry) => {
    const id = wordsMember(entry, 'id');
    const label = wordsMember(entry, 'name') ?? wordsMember(entry, 'display_name');
    return id === null ? [] : [{ id, label, ...limits(entry), otherUse: otherUse(id, entry) }];
  });
}

function limits(entry: unknown): Pick<ListedModel, 'maxInputTokens' | 'maxOutputTokens'> {
  return {
    maxInputTokens: listedWindow(entry),
    maxOutputTokens: tokenLimit(member(entry, OUTPUT_NAME)) ?? tokenLimit(member(member(entry, 'top_provider'), OUTPUT_NAME)),
  };
}

/**
 * Returns the vectors in a response to `POST /embeddings`, in the order of the texts. A server may send another order,
 * given by `index`. Throws `protocol` unless each text has a vector with the same dimensions and finite numbers.
 */
function vectorsIn(answer: unknown, texts: number, { label }: Pick<Endpoint, 'label'>): readonly (readonly number[])[] {
  const refuse = (what: string): Error => failure('provider.badEmbeddings', { label, what });
  const entries = itemsOf(member(answer, 'data'));
  if (entries.length !== texts) {
    throw refuse(`${String(entries.length)} for ${String(texts)} texts`);
  }
  const placed = new Map(entries.map((entry, at) => [count(member(entry, 'index')) ?? at, itemsOf(member(entry, 'embedding'))]));
  const vectors = entries.map((_, at) => placed.get(at) ?? []);
  const [first = []] = vectors;
  if (placed.size !== texts || first.length === 0) {
    throw refuse('some are missing');
  }
  if (vectors.some((vector) => vector.length !== first.length)) {
    throw refuse('they differ in length');
  }
  if (!vectors.every(isFinite)) {
    throw refuse('some values are not numbers');
  }
  return vectors;
}

function isFinite(vector: readonly unknown[]): vector is readonly number[] {
  return vector.every((value) => Number.isFinite(value));
}

/** Returns the usage in a response to `POST /embeddings`, or null. Some servers report only `total_tokens` (Voyage). */
function embeddingUsage(answer: unknown): Usage | null {
  const raw = member(answer, 'usage');
  if (!isObject(raw)) {
    return null;
  }
  const usage = normalizeUsage({ ...raw, prompt_tokens: raw['prompt_tokens'] ?? raw['total_tokens'] ?? null, completion_tokens: 0 }, false);
  return usage === null ? null : { ...usage, completionTokens: { value: 0, source: 'reported' } };
}
