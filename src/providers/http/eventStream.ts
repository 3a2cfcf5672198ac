import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { MAX_REPLY_BYTES } from '../../engine/chat/message/reply.js';
import { failure } from '../../engine/errors.js';
import { parseJson } from '../../engine/json.js';
import { MIB } from './body.js';
import type { Connection } from './connection.js';
import type { EventLoopTurns } from './turns.js';

/** The last event of a stream in OpenAI's protocol. */
export const DONE = '[DONE]';

/**
 * Yields server-sent events when they are complete. At the end of the stream, also yields a complete last event that is
 * not followed by the usual empty line. Yields nothing after the caller's abort.
 */
export async function* eventsIn(
  bytes: AsyncIterable<Uint8Array>,
  connection: Connection,
  turns: EventLoopTurns,
): AsyncGenerator<EventSourceMessage, void> {
  const stream = new EventStream();
  const work = turns.begin();
  try {
    for await (const chunk of bytes) {
      // Lets other work run, because chunks of several replies can arrive at the same time.
      if (work.shouldYield) {
        await work.yieldTurn();
      }
      for (const event of stream.push(chunk)) {
        yield event;
        if (work.shouldYield) {
          await work.yieldTurn();
        }
      }
      if (stream.isTooLong) {
        const what = `more than ${String(MAX_REPLY_BYTES / MIB)} MiB at a time`;
        throw failure('provider.tooLarge', { label: connection.endpoint.label, what });
      }
    }
  } catch (thrown) {
    if (!connection.isStopped) {
      yield* stream.end();
    }
    throw thrown;
  }
  yield* stream.end();
}

class EventStream {
  // Keeps the bytes of a character that continues in the next chunk.
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({
    // Maximum number of characters in an event. An event with an image can be as large as a whole reply.
    maxBufferSize: MAX_REPLY_BYTES,
    onEvent: (event) => this.#events.push(event),
    onError: ({ type }) => {
      this.#isTooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  #events: EventSourceMessage[] = [];
  #isTooLong = false;

  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  push(bytes: Uint8Array): readonly EventSourceMessage[] {
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
    return this.#taken();
  }

  /** Returns the last event of a stream that ended without an empty line, if its data is complete. */
  end(): readonly EventSourceMessage[] {
    if (this.#isTooLong) {
      return [];
    }
    this.#parser.feed('\n\n');
    return this.#taken().filter(({ data }) => isWhole(data));
  }

  #taken(): readonly EventSourceMessage[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** Whether the data of an event is complete: `[DONE]`, or JSON other than a number: `12` can be the start of `123`. */
function isWhole(data: string): boolean {
  return data === DONE || !['number', 'undefined'].includes(typeof parseJson(data));
}
