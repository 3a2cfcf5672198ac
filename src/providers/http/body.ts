import { MAX_REPLY_BYTES } from '../../engine/chat/message/reply.js';
import { failure, type LoupeError } from '../../engine/errors.js';
import type { Endpoint } from '../endpoint.js';
import type { Connection } from './connection.js';

/** Bytes to read of the answer to a failed request: enough for any error message, or the title of a page. */
const MAX_FAILURE_BYTES = 64 * 1024;

export const MIB = 1024 * 1024;

/** How long in ms the end of an answer may come behind its last event, mostly in the same packet. */
const LAST_CHUNK_MS = 100;

/** The bytes of an answer. Whoever stops reading before its end closes the connection, unless the end comes at once. */
export async function* bytesOf({ body }: Response, connection: Connection): AsyncGenerator<Uint8Array, void> {
  if (body === null) {
    connection.release();
    return;
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  let hasBegun = false;
  let isLeft = true;
  try {
    for (;;) {
      const { done, value } = await connection.wait(reader.read(), 'rest');
      if (done) {
        isLeft = false;
        connection.release();
        return;
      }
      hasBegun = hasBegun || value.length > 0;
      yield value;
    }
  } catch (thrown) {
    isLeft = false;
    const error = connection.failure(thrown, hasBegun ? 'rest' : 'start');
    connection.close(error);
    throw error;
  } finally {
    if (isLeft) {
      void leave(reader, connection);
    }
  }
}

/** Keeps a connection for the next request if its answer ends at once; else closes it. Nobody waits for that. */
async function leave(reader: ReadableStreamDefaultReader<Uint8Array>, connection: Connection): Promise<void> {
  const close = (): void => {
    connection.close(failure('provider.restNotNeeded'));
  };
  const timer = setTimeout(close, LAST_CHUNK_MS);
  // What goes wrong behind the last event that was wanted changes nothing.
  const hasEnded = await reader.read().then(
    ({ done }) => done,
    () => false,
  );
  clearTimeout(timer);
  if (hasEnded) {
    connection.release();
  } else {
    close();
  }
}

export function tooLarge({ label }: Endpoint): LoupeError {
  return failure('provider.tooLarge', { label, what: `an answer of more than ${String(MAX_REPLY_BYTES / MIB)} MiB` });
}

/** The text of an answer that has to be whole. */
export async function wholeText(bytes: AsyncIterable<Uint8Array>, { endpoint }: Connection): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > MAX_REPLY_BYTES) {
      throw tooLarge(endpoint);
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/**
 * The beginning of the answer to a failed request. What goes wrong behind it is dropped, because the status has arrived and
 * counts. Only the caller's abort is thrown.
 */
export async function beginningOf(bytes: AsyncIterable<Uint8Array>, connection: Connection): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of bytes) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_FAILURE_BYTES) {
        break;
      }
    }
  } catch (thrown) {
    if (connection.isStopped) {
      throw thrown;
    }
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_FAILURE_BYTES));
}
