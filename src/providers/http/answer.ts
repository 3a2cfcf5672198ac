import { MAX_REPLY_BYTES } from '../../engine/chat/message/reply.js';
import { failure, type LoupeError } from '../../engine/errors.js';
import { isObject, parseOthersJson } from '../../engine/json.js';
import { member } from '../json.js';
import { beginningOf, bytesOf, tooLarge, wholeText } from './body.js';
import type { Connection } from './connection.js';
import { DONE, eventsIn } from './eventStream.js';
import { httpError, serverText } from './httpError.js';
import { redact } from './redact.js';
import { errorIn, serverError } from './serverError.js';
import type { Turns } from './turns.js';

/** Bytes of an answer that are kept to tell what came in place of a reply: some sentences, or the title of a page. */
const KEPT_BYTES = 8 * 1024;

/**
 * How long in ms the end of a stream may come after the end of the reply. The usage may come in between, at once. Some servers then keep
 * the connection open without `[DONE]`, and send comments.
 */
const END_MS = 2_000;

/** What an answer is, by its first character that is no space. */
type Kind = 'json' | 'page' | 'events';

/**
 * An answer with a status of success. One of `json` and `events` is to be called, once: it reads the answer, and closes the
 * connection. Both throw `LoupeError`s only, among them an error that the server reports in place of what was asked for.
 */
export class Answer {
  readonly #response: Response;
  readonly #connection: Connection;
  readonly #kept: Uint8Array[] = [];
  #keptBytes = 0;
  /** Whether an event of a stream came. */
  #hasStreamed = false;
  #isWhole = false;
  #end: NodeJS.Timeout | undefined;
  #lastTurn: NodeJS.Immediate | undefined;

  constructor(response: Response, connection: Connection) {
    this.#response = response;
    this.#connection = connection;
  }

  /** Whether the server itself has ended the answer, by the mark for the end of a stream, or because it is one value. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Call it when the reply is over. `events` then throws `provider.restNotNeeded` unless more events or the end arrive within `END_MS`. */
  expectEnd(): void {
    this.#clearEnd();
    this.#end = setTimeout(() => {
      // After a long stall the rest may have come, and is read before this turn.
      this.#lastTurn = setImmediate(() => {
        this.#connection.close(failure('provider.restNotNeeded'));
      });
    }, END_MS);
  }

  #clearEnd(): void {
    clearTimeout(this.#end);
    clearImmediate(this.#lastTurn);
  }

  /** The value of an answer that is one. */
  async json(): Promise<unknown> {
    return this.#valueOf(await wholeText(this.#bytes(), this.#connection));
  }

  /** The JSON of each event of a stream. A whole answer in JSON counts as its only event: servers that do not stream send that. */
  async *events(turns: Turns): AsyncGenerator<unknown, void> {
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

  async *#streamed(bytes: AsyncIterable<Uint8Array>, turns: Turns): AsyncGenerator<unknown, void> {
    for await (const { event, data } of eventsIn(bytes, this.#connection, turns)) {
      if (data.trim() === DONE) {
        this.#isWhole = true;
        return;
      }
      // An event without data only keeps a connection open.
      if (data.trim() !== '') {
        this.#hasStreamed = true;
        yield* this.#valuesOf(event, data);
      }
    }
  }

  /** The value of an event. An error may come with usage, which is billed all the same: the usage goes before it. */
  *#valuesOf(event: string | undefined, data: string): Generator<unknown, void> {
    const value = parseOthersJson(data);
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

  /** The error for an answer that was read and held no reply: it was empty, or something else, which is told in its details. */
  noReply(): LoupeError {
    // Comments of a stream, and its end, say nothing.
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

  /** By what arrives more than by its type, which proxies and servers do not always set. */
  #kindOf(first: string): Kind {
    if (first === '<') {
      return 'page';
    }
    const isNamedStream = /^\s*text\/event-stream\b/i.test(this.#response.headers.get('content-type') ?? '');
    return first !== '' && (isNamedStream ? '{[' : '{["-0123456789tfn').includes(first) ? 'json' : 'events';
  }

  #valueOf(text: string): unknown {
    const value = parseOthersJson(text);
    if (value === undefined) {
      throw this.#unlike(text.trimStart().startsWith('<') ? 'provider.page' : 'provider.notJson', text);
    }
    return errorIn(value) === undefined ? value : this.#refuse(value, text);
  }

  /** Throws what an error says that came with a status of success. */
  #refuse(value: unknown, text: string): never {
    const { endpoint, key } = this.#connection;
    const { status, headers } = this.#response;
    const told = serverError(errorIn(value) ?? value, text);
    throw httpError({ ...told, status: told.status ?? status, headers }, endpoint, key);
  }

  /** The error for words that are not what was asked for, with their beginning for details. */
  #unlike(code: 'provider.page' | 'provider.notJson' | 'provider.noReply' | 'provider.emptyReply', words: string): LoupeError {
    const { endpoint, key } = this.#connection;
    return failure(code, endpoint, { cause: new Error(serverText(redact(words.slice(0, KEPT_BYTES), key))) });
  }

  /** The beginning of what came. */
  #beginning(): string {
    return new TextDecoder().decode(Buffer.concat(this.#kept));
  }
}

/** The error of an answer whose status is none of success. */
export async function refusalOf(response: Response, connection: Connection): Promise<LoupeError> {
  const { status, headers } = response;
  const text = await beginningOf(bytesOf(response, connection), connection);
  const value = parseOthersJson(text);
  const { code, message } = value === undefined ? { code: null, message: text } : serverError(errorIn(value) ?? value, text);
  return httpError({ status, headers, code, message }, connection.endpoint, connection.key);
}

/** The begin of an answer. */
interface Head {
  readonly chunks: readonly Uint8Array[];
  /** The first character that is neither a space nor a byte order mark; '' without one. */
  readonly first: string;
}

/** The chunks of an answer up to its first character. Each is looked at once. */
async function headOf(bytes: AsyncGenerator<Uint8Array, void>, { endpoint }: Connection): Promise<Head> {
  const chunks: Uint8Array[] = [];
  // A character that is cut stays in the decoder.
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
