import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { MAX_REPLY_BYTES } from '../../engine/chat/message/reply.js';
import { failure } from '../../engine/errors.js';
import { parseJson } from '../../engine/json.js';
import { MIB } from './body.js';
import type { Connection } from './connection.js';
import type { Turns } from './turns.js';

/** The end of a stream in OpenAI's protocol. */
export const DONE = '[DONE]';

/**
 * The server-sent events of an answer, each as soon as it is whole. When the stream ends or breaks off, a last event that only
 * lacks its empty line counts, too; one that was cut does not. Nothing is passed on after the caller's abort.
 */
export async function* eventsIn(
  bytes: AsyncIterable<Uint8Array>,
  connection: Connection,
  turns: Turns,
): AsyncGenerator<EventSourceMessage, void> {
  const stream = new EventStream();
  const work = turns.begin();
  try {
    for await (const chunk of bytes) {
      // Chunks of several replies may have come at the same time.
      if (work.isDue) {
        await work.give();
      }
      for (const event of stream.push(chunk)) {
        yield event;
        if (work.isDue) {
          await work.give();
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
  // A character that is cut stays in the decoder, so that none is invented.
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({
    // In characters, of which an image in Base64 has one for each byte.
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

  /** Takes the next bytes. Returns the events that are now whole. */
  push(bytes: Uint8Array): readonly EventSourceMessage[] {
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
    return this.#taken();
  }

  /** The event that is open at the end, if its data is whole. */
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

/** Whether the data of an event that may be cut is whole: `[DONE]`, or JSON. A number may go on, so it does not count. */
function isWhole(data: string): boolean {
  return data === DONE || !['number', 'undefined'].includes(typeof parseJson(data));
}
