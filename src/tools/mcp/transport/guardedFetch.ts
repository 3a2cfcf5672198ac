import { failure, type LoupeError } from '../../../engine/errors.js';
import { bytesOf } from '../../../providers/http/body.js';
import { Connection } from '../../../providers/http/connection.js';
import { isRedirect, placeOf } from '../../../providers/http/request.js';
import { EventLoopTurns } from '../../../providers/http/turns.js';
import type { Endpoint } from '../../../providers/endpoint.js';
import { type McpLimits, sizeText } from '../limits.js';
import { readEvents, readWhole } from './readBody.js';

/** HTTP statuses of responses without a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Returns a `fetch` for an MCP server, with the same limits as for providers: time without data, and size. Follows no
 * redirect, because configured headers must not reach another address. Rejects with a `LoupeError`. Calls `tooMuch` for
 * a response over the size limit, because the SDK hides the error of an event stream. Event streams have no time limit,
 * because servers keep them open for notifications. Calls have their own limits.
 */
export function guardedFetch(
  name: string,
  limits: Pick<McpLimits, 'silentCallMs' | 'messageBytes'>,
  tooMuch: (error: LoupeError) => void,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  const { silentCallMs, messageBytes } = limits;
  const refuse = (what: string): LoupeError => {
    const error = failure('mcp.sentTooMuch', { what });
    tooMuch(error);
    return error;
  };
  return async (url, init) => {
    const endpoint = endpointOf(name, String(url), silentCallMs);
    const connection = new Connection(endpoint, null, init?.signal ?? new AbortController().signal);
    try {
      const response = await connection.wait(fetch(url, { ...init, redirect: 'manual', signal: connection.signal }), 'start');
      if (isRedirect(response)) {
        throw failure('mcp.redirects', { place: placeOf(response) });
      }
      return limited(response, connection, { messageBytes, refuse });
    } catch (thrown) {
      const error = connection.failure(thrown, 'start');
      connection.close(error);
      throw error;
    }
  };
}

/** Returns an endpoint without headers and secrets, because the SDK adds headers. */
function endpointOf(name: string, baseUrl: string, silenceMs: number): Endpoint {
  return { id: name, label: `The server "${name}"`, baseUrl, headers: {}, keyHeader: null, silenceMs, key: () => Promise.resolve(null) };
}

interface SizeLimit {
  readonly messageBytes: number;
  /** Reports a response that is too large. Returns its error. */
  readonly refuse: (what: string) => LoupeError;
}

function limited(response: Response, connection: Connection, limit: SizeLimit): Response {
  const { status, statusText, headers } = response;
  if (WITHOUT_BODY.has(status)) {
    connection.release();
    return new Response(null, { status, statusText, headers });
  }
  const isStream = /^\s*text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  const bytes = isStream ? readEvents(eventsOf(response, connection, limit)) : readWhole(wholeOf(response, connection, limit));
  return new Response(streamOf(bytes, connection), { status, statusText, headers });
}

async function* wholeOf(response: Response, connection: Connection, { messageBytes, refuse }: SizeLimit): AsyncGenerator<Uint8Array, void> {
  let length = 0;
  for await (const chunk of bytesOf(response, connection)) {
    length += chunk.length;
    if (length > messageBytes) {
      throw refuse(`an answer of more than ${sizeText(messageBytes)}`);
    }
    yield chunk;
  }
}

async function* eventsOf(
  { body }: Response,
  connection: Connection,
  { messageBytes, refuse }: SizeLimit,
): AsyncGenerator<Uint8Array, void> {
  const size = new EventSize();
  const work = new EventLoopTurns().begin();
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader();
  try {
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      if (size.after(read.value) > messageBytes) {
        throw refuse(`a message of more than ${sizeText(messageBytes)}`);
      }
      yield read.value;
      if (work.shouldYield) {
        await work.yieldTurn();
      }
    }
    connection.release();
  } catch (thrown) {
    throw connection.failure(thrown, 'rest');
  }
}

const [LINE_FEED, RETURN] = [10, 13];

/** Measures the size of the current event. An empty line ends the event. */
class EventSize {
  #bytes = 0;
  #isLineEmpty = true;

  after(chunk: Uint8Array): number {
    for (const byte of chunk) {
      this.#bytes += 1;
      if (byte === LINE_FEED) {
        this.#bytes = this.#isLineEmpty ? 0 : this.#bytes;
        this.#isLineEmpty = true;
      } else if (byte !== RETURN) {
        this.#isLineEmpty = false;
      }
    }
    return this.#bytes;
  }
}

function streamOf(bytes: AsyncGenerator<Uint8Array, void>, connection: Connection): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await bytes.next();
        if (done === true) {
          controller.close();
        } else {
          controller.enqueue(value);
        }
      } catch (thrown) {
        connection.close(connection.failure(thrown, 'rest'));
        throw thrown;
      }
    },
    async cancel() {
      connection.close(failure('mcp.connectionClosed'));
      await bytes.return();
    },
  });
}
