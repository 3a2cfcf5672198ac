import { findMessage } from '../../engine/chat/branch.js';
import { endOfAnswered } from '../../engine/chat/leftOut.js';
import { isSent, toolCallsOf, type SentMessage } from '../../engine/chat/message/message.js';
import { exclusion, type Leaves } from '../../engine/chat/slices/marks.js';
import type { ChatState, WholeChat } from '../../engine/chat/state.js';
import { openMessages } from '../../engine/compaction/range.js';
import { failure } from '../../engine/errors.js';
import type { SessionLog } from './sessionLog.js';

export interface MessageMarksPorts {
  readonly log: Pick<SessionLog, 'state' | 'checkWritable' | 'record'>;
  whole(): Promise<WholeChat>;
}

/** What the user decides about single messages of a chat. All reject with `invalidInput` when the chat is read-only. */
export class MessageMarks {
  readonly #ports: MessageMarksPorts;

  constructor(ports: MessageMarksPorts) {
    this.#ports = ports;
  }

  /**
   * Keeps a message whole in every request, whatever is summarized. A turn that was left out comes back with it. Throws `invalidInput` for
   * a message that is not sent.
   */
  async pin(messageId: string): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    const state = findMessage(log.state, messageId) === null ? await this.#ports.whole() : log.state;
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
   * Leaves a turn out of the requests, or the tool calls of a reply with their results; pins in it are taken away. Throws `invalidInput`
   * for a message that is not sent, or is being answered.
   */
  async exclude(messageId: string, leaves: Leaves): Promise<void> {
    this.#ports.log.checkWritable();
    const messages = await this.#openWith(messageId);
    await this.#exclude(markedBy(messages, messageId), messages, { leaves });
  }

  /** Leaves one tool call of a reply out of the requests with its result, as `exclude` does with all. */
  async excludeCall(messageId: string, callId: string, leaves: Leaves): Promise<void> {
    this.#ports.log.checkWritable();
    const messages = await this.#openWith(messageId);
    const marked = markedBy(messages, messageId);
    callsAround(marked, callId);
    await this.#exclude(marked, messages, { callId, leaves });
  }

  async #exclude(
    { first, all }: Marked,
    messages: readonly SentMessage[],
    { leaves, ...call }: { readonly leaves: Leaves; readonly callId?: string },
  ): Promise<void> {
    const { log } = this.#ports;
    if (messages.indexOf(first) >= endOfAnswered(messages)) {
      throw failure('chat.stillAnswered');
    }
    const pins = all.filter(({ id }) => log.state.pinned.has(id)).map(({ id }) => ({ type: 'unpinned', messageId: id }) as const);
    await log.record([...pins, exclusion({ messageId: first.id, ...call }, leaves)], 'durable');
  }

  /** Has requests send again what `exclude` left out by the same message, with calls that were left out by themselves. */
  async include(messageId: string): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    const messages = await this.#openWith(messageId);
    await log.record([{ type: 'included', messageId: markedBy(messages, messageId).first.id }], 'durable');
  }

  /** Has requests send again one tool call of a reply with its result. Where all were left out, the others stay so. */
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

  /** The messages that may be sent, with this one among them. */
  async #openWith(messageId: string): Promise<readonly SentMessage[]> {
    const { log } = this.#ports;
    const state: ChatState = findMessage(log.state, messageId) === null ? await this.#ports.whole() : log.state;
    const messages = openMessages(state);
    if (!messages.some(({ id }) => id === messageId)) {
      throw failure('chat.messageNotSent');
    }
    return messages;
  }
}

interface Marked {
  /** The message that bears the mark. */
  readonly first: SentMessage;
  /** All that the mark is for. */
  readonly all: readonly SentMessage[];
}

/** What a mark on a message is for: the turn of a message of the user, or of a reply without tool calls; a reply with calls, and their results. */
function markedBy(messages: readonly SentMessage[], id: string): Marked {
  const message = messages.find((each) => each.id === id);
  const isOfCalls = message?.role === 'tool-results' || (message?.role === 'assistant' && toolCallsOf(message).length > 0);
  const all = isOfCalls ? roundOf(messages, id) : turnOf(messages, id);
  const [first] = all;
  if (first === undefined || first.role === 'tool-results') {
    throw failure('chat.messageNotSent');
  }
  return { first, all };
}

/** The ids of the other tool calls of a reply. Throws `invalidInput` where it has no such call. */
function callsAround({ first }: Marked, callId: string): readonly string[] {
  const ids = first.role === 'assistant' ? toolCallsOf(first).map(({ id }) => id) : [];
  if (!ids.includes(callId)) {
    throw failure('chat.callGone');
  }
  return ids.filter((id) => id !== callId);
}

/** A message of the user with all that answers it, by the id of one of them; empty for messages in front of the first one of the user. */
function turnOf(messages: readonly SentMessage[], id: string): readonly SentMessage[] {
  return between(messages, id, ({ role }) => role === 'user');
}

/** A reply with the results of its tool calls, by the id of one of them. */
function roundOf(messages: readonly SentMessage[], id: string): readonly SentMessage[] {
  return between(messages, id, ({ role }) => role !== 'tool-results');
}

function between(messages: readonly SentMessage[], id: string, begins: (message: SentMessage) => boolean): readonly SentMessage[] {
  const at = messages.findIndex((message) => message.id === id);
  const from = messages.findLastIndex((message, index) => index <= at && begins(message));
  const to = messages.findIndex((message, index) => index > at && begins(message));
  return from === -1 ? [] : messages.slice(from, to === -1 ? messages.length : to);
}
