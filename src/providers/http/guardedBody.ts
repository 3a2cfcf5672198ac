import { assertNever } from '../../engine/assertNever.js';
import { failure, LoupeError } from '../../engine/errors.js';
import type { Connection } from './connection.js';
import { EventStream, MAX_EVENT_BYTES } from './eventStream.js';

/** Most bytes of an answer that is no event stream. The largest known ones, lists of hundreds of models, have about 1 MiB. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Bytes to read of the answer to a failed request: enough for any error message, or the title of a page. */
const MAX_FAILURE_BYTES = 64 * 1024;

const MIB = 1024 * 1024;

/** How to pass a body on: as whole events, whole, or only its beginning (`failure`). */
export type Framing = 'events' | 'whole' | 'failure';

/** The body of an answer, with limits on its size and on silence. It reads only as fast as its consumer. */
export function guardedBody(body: ReadableStream<Uint8Array>, framing: Framing, connection: Connection): ReadableStream<Uint8Array> {
  const chunks = framed(body, framing, connection);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          if (next.done === true) {
            connection.release();
            controller.close();
          } else {
            controller.enqueue(next.value);
          }
        } catch (thrown) {
          controller.error(thrown);
          connection.close(thrown);
        }
      },
      cancel(reason) {
        connection.close(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function framed(body: ReadableStream<Uint8Array>, framing: Framing, connection: Connection): AsyncGenerator<Uint8Array> {
  const chunks = received(body, connection);
  switch (framing) {
    case 'events':
      return completeEvents(chunks, connection);
    case 'whole':
      return atMost(MAX_ANSWER_BYTES, chunks, connection);
    case 'failure':
      return beginning(MAX_FAILURE_BYTES, chunks, connection);
    default:
      return assertNever(framing);
  }
}

/** The chunks of a body. */
async function* received(body: ReadableStream<Uint8Array>, connection: Connection): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let hasBegun = false;
  try {
    for (;;) {
      const { done, value } = await connection.wait(reader.read(), 'rest');
      if (done) {
        return;
      }
      hasBegun = hasBegun || value.length > 0;
      yield value;
    }
  } catch (thrown) {
    throw connection.failure(thrown, hasBegun ? 'rest' : 'start');
  }
}

/** Whole events only. When the stream breaks off, a last event that only lacks its end is passed on, too. */
async function* completeEvents(chunks: AsyncIterable<Uint8Array>, connection: Connection): AsyncGenerator<Uint8Array> {
  const events = new EventStream();
  try {
    for await (const chunk of chunks) {
      const whole = events.push(chunk);
      if (whole !== null) {
        yield whole;
      }
      if (events.isTooLong) {
        throw tooLarge(`a line or an event of more than ${String(MAX_EVENT_BYTES / MIB)} MiB`, connection);
      }
    }
  } catch (thrown) {
    // After the caller's abort, nothing is passed on.
    const last = connection.signal.aborted || events.isTooLong ? null : events.end();
    if (last !== null) {
      yield last;
    }
    throw thrown;
  }
  const last = events.end();
  if (last !== null) {
    yield last;
  }
}

async function* atMost(limit: number, chunks: AsyncIterable<Uint8Array>, connection: Connection): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > limit) {
      throw tooLarge(`an answer of more than ${String(limit / MIB)} MiB`, connection);
    }
    yield chunk;
  }
}

/**
 * The beginning of the answer to a failed request. Errors in the rest are dropped, because the status has arrived and
 * counts. Only the caller's abort is passed on.
 */
async function* beginning(limit: number, chunks: AsyncIterable<Uint8Array>, connection: Connection): AsyncGenerator<Uint8Array> {
  let left = limit;
  try {
    for await (const chunk of chunks) {
      yield chunk.subarray(0, left);
      left -= chunk.length;
      if (left <= 0) {
        connection.close(failure('provider.restNotNeeded'));
        return;
      }
    }
  } catch (thrown) {
    if (connection.signal.aborted || !(thrown instanceof LoupeError)) {
      throw thrown;
    }
    connection.close(thrown);
  }
}

function tooLarge(what: string, connection: Connection): LoupeError {
  return failure('provider.tooLarge', { label: connection.endpoint.label, what });
}
