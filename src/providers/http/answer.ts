import { MAX_REPLY_BYTES } from '../../engine/chat/message/reply.js';
import { failure, type LoupeError } from '../../engine/errors.js';
import { isObject, parseForeignJson } from '../../engine/json.js';
import { member } from '../json.js';
import { beginningOf, bytesOf, tooLarge, wholeText } from './body.js';
import type { Connection } from './connection.js';
import { DONE, eventsIn } from './eventStream.js';
import { httpError, serverText } from './httpError.js';
import { redact } from './redact.js';
import { errorIn, serverError } from './serverError.js';
import type { EventLoopTurns } from './turns.js';

/** Maximum number of bytes of a response to keep, in case an error message needs them. */
const KEPT_BYTES = 8 * 1024;

/**
 * Maximum time in ms without an event after the end of the reply. The usage usually follows at once. Some servers then
 * keep the connection open without `[DONE]`, and send only comments.
 */
const END_MS = 2_000;

/** The kind of a response: JSON, an HTML page, or server-sent events. */
type ResponseKind = 'json' | 'page' | 'events';

/**
 * A successful response. Call either `json` or `events`, once. Both read the response, free or close the connection,
 * and throw only `LoupeError`s. Both also throw an error that the server sent in place of a reply.
 */
export class ProviderResponse {
  readonly #response: Response;
  readonly #connection: Connection;
  readonly #body: string | null;
  readonly #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #hasStreamed = false;
  #isWhole = false;
  #end: NodeJS.Timeout | undefined;
  #lastTurn: NodeJS.Immediate | undefined;

  /** `body`: the request, or null without a body. */
  constructor(response: Response, connection: Connection, body: string | null) {
    this.#response = response;
    this.#connection = connection;
    this.#body = body;
  }

  /** Whether the response is complete: the stream had its end mark, or the response is one value. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Call this at the end of the reply. Without events for `END_MS`, `events` then throws `provider.restNotNeeded`. */
  expectEnd(): void {
    this.#clearEnd();
    this.#end = setTimeout(() => {
      // If the event loop was blocked, there may be unread data. `setImmediate` lets Node read this data first.
      this.#lastTurn = setImmediate(() => {
        this.#connection.close(failure('provider.restNotNeeded'));
      });
    }, END_MS);
  }

  #clearEnd(): void {
    clearTimeout(this.#end);
    clearImmediate(this.#lastTurn);
  }

  async json(): Promise<unknown> {
    return this.#valueOf(await wholeText(this.#bytes(), this.#connection));
  }

  /** Yields the JSON of each event. Yields a response that is not a stream as one value. */
  async *events(turns: EventLoopTurns): AsyncGenerator<unknown, void> {
    const bytes = this.#bytes();
    const { chunks, first } = await headOf(bytes, this.#connection);
    const all = joined(chunks, bytes);
    switch (this.#kindOf(first)) {
      case 'json': {
        const text = await wholeText(all, this.#connection);
        this.#isWhole = true;
        yield this.#valueOf(text);
        return;
      }
      case 'page':
        await beginningOf(all, this.#connection);
        throw this.#unlike('provider.page', this.#beginning());
      case 'events':
        try {
          yield* this.#streamed(all, turns);
        } finally {
          this.#clearEnd();
        }
    }
  }

  async *#streamed(bytes: AsyncIterable<Uint8Array>, turns: EventLoopTurns): AsyncGenerator<unknown, void> {
    for await (const { event, data } of eventsIn(bytes, this.#connection, turns)) {
      if (data.trim() === DONE) {
        this.#isWhole = true;
        return;
      }
      // Servers send events without data only to keep the connection open.
      if (data.trim() !== '') {
        this.#hasStreamed = true;
        yield* this.#valuesOf(event, data);
      }
    }
  }

  /** Yields the value of an event. For an error, yields the usage in the event, which is billed, and then throws. */
  *#valuesOf(event: string | undefined, data: string): Generator<unknown, void> {
    const value = parseForeignJson(data);
    if (event !== 'error' && value !== undefined && errorIn(value) === undefined) {
      yield value;
      return;
    }
    const usage = member(value, 'usage');
    if (isObject(usage)) {
      yield { usage };
    }
    yield event === 'error' ? this.#refuse(value ?? data, data) : this.#valueOf(data);
  }

  /** Returns the error for a response without a reply. The details of the error show what arrived instead. */
  noReply(): LoupeError {
    // Removes the comments and the end mark of an event stream.
    const words = this.#beginning()
      .replace(/^(?::.*|data: ?\[DONE\].*)$/gm, '')
      .trim();
    if (words === '') {
      return failure('provider.emptyReply', this.#connection.endpoint);
    }
    return this.#unlike(this.#hasStreamed ? 'provider.emptyReply' : 'provider.noReply', words);
  }

  async *#bytes(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of bytesOf(this.#response, this.#connection)) {
      if (this.#keptBytes < KEPT_BYTES) {
        this.#kept.push(chunk.slice(0, KEPT_BYTES - this.#keptBytes));
        this.#keptBytes += chunk.length;
      }
      yield chunk;
    }
  }

  /** Returns the kind of the content, mainly by its first character: content types of servers are not reliable. */
  #kindOf(first: string): ResponseKind {
    if (first === '<') {
      return 'page';
    }
    const isNamedStream = /^\s*text\/event-stream\b/i.test(this.#response.headers.get('content-type') ?? '');
    return first !== '' && (isNamedStream ? '{[' : '{["-0123456789tfn').includes(first) ? 'json' : 'events';
  }

  #valueOf(text: string): unknown {
    const value = parseForeignJson(text);
    if (value === undefined) {
      throw this.#unlike(text.trimStart().startsWith('<') ? 'provider.page' : 'provider.notJson', text);
    }
    return errorIn(value) === undefined ? value : this.#refuse(value, text);
  }

  /** Throws the error in a response with a successful status. */
  #refuse(value: unknown, text: string): never {
    const { endpoint, key } = this.#connection;
    const { status, headers } = this.#response;
    const told = serverError(errorIn(value) ?? value, text);
    throw httpError({ ...told, status: told.status ?? status, headers, body: this.#body }, endpoint, key);
  }

  /** Returns the error for an unexpected response. The details of the error show the start of the response. */
  #unlike(code: 'provider.page' | 'provider.notJson' | 'provider.noReply' | 'provider.emptyReply', words: string): LoupeError {
    const { endpoint, key } = this.#connection;
    return failure(code, endpoint, { cause: new Error(serverText(redact(words.slice(0, KEPT_BYTES), key))) });
  }

  #beginning(): string {
    return new TextDecoder().decode(Buffer.concat(this.#kept));
  }
}

/** Reads a failed response. `body`: the request that the server has refused. */
export async function refusalOf(response: Response, connection: Connection, body: string | null): Promise<LoupeError> {
  const { status, headers } = response;
  const text = await beginningOf(bytesOf(response, connection), connection);
  const value = parseForeignJson(text);
  const { code, message } = value === undefined ? { code: null, message: text } : serverError(errorIn(value) ?? value, text);
  return httpError({ status, headers, code, message, body }, connection.endpoint, connection.key);
}

interface ResponseHead {
  readonly chunks: readonly Uint8Array[];
  /** The first character that is not white space or a byte order mark. '' for an empty response. */
  readonly first: string;
}

/** Reads chunks until the first character that is not white space. */
async function headOf(bytes: AsyncGenerator<Uint8Array, void>, { endpoint }: Connection): Promise<ResponseHead> {
  const chunks: Uint8Array[] = [];
  // The decoder keeps the bytes of a character that continues in the next chunk.
  const decoder = new TextDecoder();
  let length = 0;
  for (;;) {
    const { done, value } = await bytes.next();
    if (done === true) {
      return { chunks, first: '' };
    }
    chunks.push(value);
    const [first = ''] = /[^\s\uFEFF]/u.exec(decoder.decode(value, { stream: true })) ?? [];
    if (first !== '') {
      return { chunks, first };
    }
    length += value.length;
    if (length > MAX_REPLY_BYTES) {
      throw tooLarge(endpoint);
    }
  }
}

async function* joined(head: readonly Uint8Array[], rest: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* head;
    yield* rest;
  } finally {
    await rest.return();
  }
}
