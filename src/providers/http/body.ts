import { MAX_REPLY_BYTES } from '../../engine/chat/message/reply.js';
import { failure, type LoupeError } from '../../engine/errors.js';
import type { Endpoint } from '../endpoint.js';
import type { Connection } from './connection.js';

/** Maximum number of bytes to read of a failed response, enough for any error message or the title of a page. */
const MAX_FAILURE_BYTES = 64 * 1024;

export const MIB = 1024 * 1024;

/** Maximum wait in ms for the end of a response after its last event. The end is usually in the same packet. */
const LAST_CHUNK_MS = 100;

/** Yields the bytes of a response. If the caller stops early, closes the connection unless the end follows at once. */
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
      void releaseOrClose(reader, connection);
    }
  }
}

/** Keeps the connection for the next request if the response ends soon, otherwise closes it. Callers do not wait. */
async function releaseOrClose(reader: ReadableStreamDefaultReader<Uint8Array>, connection: Connection): Promise<void> {
  const close = (): void => {
    connection.close(failure('provider.restNotNeeded'));
  };
  const timer = setTimeout(close, LAST_CHUNK_MS);
  // A later error does not matter, because all needed events have arrived.
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

export async function wholeText(bytes: AsyncIterable<Uint8Array>, { endpoint }: Pick<Connection, 'endpoint'>): Promise<string> {
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

/** Returns the start of a failed response or of a web page. Ignores read errors. Throws only after an abort. */
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
