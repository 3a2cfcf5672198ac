import { findMessage } from '../../engine/chat/branch.js';
import { endOfConcluded } from '../../engine/chat/excludedParts.js';
import { isSent, toolCallsOf, type SentMessage } from '../../engine/chat/message/message.js';
import { exclusion, type ExclusionTime } from '../../engine/chat/slices/marks.js';
import type { ChatState } from '../../engine/chat/state.js';
import { openMessages } from '../../engine/compaction/range.js';
import { failure } from '../../engine/errors.js';
import type { SessionLog } from './sessionLog.js';
import type { LogFollower } from './windows/logFollower.js';

export interface MessageMarksPorts {
  readonly log: Pick<SessionLog, 'state' | 'checkWritable' | 'record'>;
  readonly follower: Pick<LogFollower, 'whole'>;
}

/** Pins, excludes and includes messages. All methods reject with `invalidInput` in a read-only chat. */
export class MessageMarks {
  readonly #ports: MessageMarksPorts;

  constructor(ports: MessageMarksPorts) {
    this.#ports = ports;
  }

  /**
   * Pins a message, so that every request contains its full text even after a summary. Includes its turn again if the
   * turn was excluded. Throws `invalidInput` for a message that is not sent.
   */
  async pin(messageId: string): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    const state = findMessage(log.state, messageId) === null ? await this.#ports.follower.whole() : log.state;
    const message = findMessage(state, messageId);
    if (message === null || !isSent(message)) {
      throw failure('chat.messageGone');
    }
    const held = new Set([messageId, turnOf(openMessages(state), messageId)[0]?.id ?? messageId]);
    const back = [...held]
      .filter((id) => state.excluded.has(id) || state.excludedCalls.has(id))
      .map((id) => ({ type: 'included', messageId: id }) as const);
    await log.record([...back, { type: 'pinned', messageId }], 'durable');
  }

  async unpin(messageId: string): Promise<void> {
    this.#ports.log.checkWritable();
    await this.#ports.log.record([{ type: 'unpinned', messageId }], 'durable');
  }

  /**
   * Excludes the turn of a user message, or the tool calls of a reply with their results. Removes the pins of these
   * messages. Throws `invalidInput` for a message that is not sent or is being answered.
   */
  async exclude(messageId: string, leaves: ExclusionTime): Promise<void> {
    this.#ports.log.checkWritable();
    const messages = await this.#openWith(messageId);
    await this.#exclude(markedBy(messages, messageId), messages, { leaves });
  }

  /** Excludes one tool call of a reply with its result. Otherwise works like `exclude`. */
  async excludeCall(messageId: string, callId: string, leaves: ExclusionTime): Promise<void> {
    this.#ports.log.checkWritable();
    const messages = await this.#openWith(messageId);
    const marked = markedBy(messages, messageId);
    callsAround(marked, callId);
    await this.#exclude(marked, messages, { callId, leaves });
  }

  async #exclude(
    { first, all }: ExclusionRange,
    messages: readonly SentMessage[],
    { leaves, ...call }: { readonly leaves: ExclusionTime; readonly callId?: string },
  ): Promise<void> {
    const { log } = this.#ports;
    if (messages.indexOf(first) >= endOfConcluded(messages)) {
      throw failure('chat.stillAnswered');
    }
    const pins = all.filter(({ id }) => log.state.pinned.has(id)).map(({ id }) => ({ type: 'unpinned', messageId: id }) as const);
    await log.record([...pins, exclusion({ messageId: first.id, ...call }, leaves)], 'durable');
  }

  /** Undoes `exclude` for the same message. Also includes its tool calls that were excluded one by one. */
  async include(messageId: string): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    const messages = await this.#openWith(messageId);
    await log.record([{ type: 'included', messageId: markedBy(messages, messageId).first.id }], 'durable');
  }

  /** Includes one excluded tool call with its result. If all calls were excluded, the other calls remain excluded. */
  async includeCall(messageId: string, callId: string): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    const messages = await this.#openWith(messageId);
    const marked = markedBy(messages, messageId);
    const { id } = marked.first;
    const others = callsAround(marked, callId);
    const whole = log.state.excluded.get(id);
    const single = log.state.excludedCalls.get(id);
    await log.record(
      whole === undefined
        ? [{ type: 'included', messageId: id, callId }]
        : [
            { type: 'included', messageId: id },
            ...others.map((other) => exclusion({ messageId: id, callId: other }, single?.get(other) ?? whole)),
          ],
      'durable',
    );
  }

  /** Returns the messages after the last summary. Throws `invalidInput` when message `messageId` is not among them. */
  async #openWith(messageId: string): Promise<readonly SentMessage[]> {
    const { log } = this.#ports;
    const state: ChatState = findMessage(log.state, messageId) === null ? await this.#ports.follower.whole() : log.state;
    const messages = openMessages(state);
    if (!messages.some(({ id }) => id === messageId)) {
      throw failure('chat.messageNotSent');
    }
    return messages;
  }
}

interface ExclusionRange {
  /** The message whose id the `excluded` event contains. */
  readonly first: SentMessage;
  readonly all: readonly SentMessage[];
}

/** Returns the messages to exclude with message `id`: a reply with tool calls and their results, or the whole turn. */
function markedBy(messages: readonly SentMessage[], id: string): ExclusionRange {
  const message = messages.find((each) => each.id === id);
  const isOfCalls = message?.role === 'tool-results' || (message?.role === 'assistant' && toolCallsOf(message).length > 0);
  const all = isOfCalls ? stepOf(messages, id) : turnOf(messages, id);
  const [first] = all;
  if (first === undefined || first.role === 'tool-results') {
    throw failure('chat.messageNotSent');
  }
  return { first, all };
}

/** Returns the ids of the other tool calls of a reply. Throws `invalidInput` when the reply has no such call. */
function callsAround({ first }: ExclusionRange, callId: string): readonly string[] {
  const ids = first.role === 'assistant' ? toolCallsOf(first).map(({ id }) => id) : [];
  if (!ids.includes(callId)) {
    throw failure('chat.callGone');
  }
  return ids.filter((id) => id !== callId);
}

/** Returns all messages of the turn that contains the message, or none before the first user message. */
export function turnOf(messages: readonly SentMessage[], id: string): readonly SentMessage[] {
  return between(messages, id, ({ role }) => role === 'user');
}

/** Returns a reply and the results of its tool calls. `id` may be the id of the reply or of the results. */
function stepOf(messages: readonly SentMessage[], id: string): readonly SentMessage[] {
  return between(messages, id, ({ role }) => role !== 'tool-results');
}

function between(messages: readonly SentMessage[], id: string, begins: (message: SentMessage) => boolean): readonly SentMessage[] {
  const at = messages.findIndex((message) => message.id === id);
  const from = messages.findLastIndex((message, index) => index <= at && begins(message));
  const to = messages.findIndex((message, index) => index > at && begins(message));
  return from === -1 ? [] : messages.slice(from, to === -1 ? messages.length : to);
}
