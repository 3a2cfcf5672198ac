import { sumReplyUsage } from '../../engine/accounting/runCost.js';
import { stateBefore } from '../../engine/chat/branch.js';
import type { ModelRef } from '../../engine/model/modelRef.js';
import { type UserMessage, isSent, messageText } from '../../engine/chat/message/message.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ResentMessage } from '../../engine/chat/slices/slice.js';
import type { NewEvent } from '../../engine/chat/slices/table.js';
import type { ChatState, WholeChat } from '../../engine/chat/state.js';
import { messagesOf } from '../../engine/chat/timeline.js';
import { transcript } from '../../engine/chat/transcript.js';
import type { Forecast } from '../../engine/cache/forecast.js';
import { type ContextItemBase, isCatalogType, isResource, itemKey } from '../../engine/record/item.js';
import { type LoupeError, failure, logFailure } from '../../engine/errors.js';
import { contextRecordsOf } from '../../engine/request/rebuild.js';
import { shownTokens } from '../../engine/next/compose.js';
import { messageImageProblem } from '../request/imageProblem.js';
import { overBudget } from '../request/sizeTexts.js';
import { costOfReply } from '../request/requestCost.js';
import type { ChatSession } from './chatSession.js';
import { turnOf } from './messageMarks.js';
import type { Chats } from './chats.js';

export type SendAgainChange =
  | { readonly kind: 'model'; readonly model: ModelRef }
  /** Sends without this rule, reference, skill, tool or file. `key` is its item key, such as `rule:AGENTS.md`. */
  | { readonly kind: 'item'; readonly key: string }
  | { readonly kind: 'turn'; readonly messageId: string };

/** A change and its description for the user, such as `without AGENTS.md`. */
export interface DescribedChange {
  readonly change: SendAgainChange;
  readonly inWords: string;
}

/** The price of sending a message again. Prices are in US dollars, or null when unknown. */
export interface SendAgainPrice {
  readonly tokens: number;
  /** US dollars for the input, with the cache reads that Loupe expects. Null when unknown. */
  readonly inputCost: number | null;
  /** US dollars for a typical reply. Null when unknown. */
  readonly replyCost: number | null;
  /** Whether the prices are only examples, because the model is free. */
  readonly isPretended: boolean;
  /** The forecast of cache reads and writes, or null when the cache behavior of the model is unknown. */
  readonly forecast: Forecast | null;
  /** US dollars for the whole request with the expected reply. Null when unknown, 0 for a free model. */
  readonly usd: number | null;
  /** The limit above which Loupe asks for approval, if `usd` is higher. Otherwise null. */
  readonly askedAbove: number | null;
  readonly problem: string | null;
}

export interface AcceptedChange extends DescribedChange {
  /** The price in US dollars that the user accepted, or null when no price was shown. */
  readonly usd: number | null;
}

export interface SendAgainPorts {
  readonly chats: Pick<Chats, 'open' | 'fork'>;
  logError(error: LoupeError): void;
}

/**
 * Sends the message of a past request again with one change. The reply appears in a new chat, a fork that ends just
 * before the message. The fork uses the model of the request and otherwise the current chat settings. Methods reject
 * with `invalidInput` when the request answered no message of the conversation, or the change has no effect.
 */
export class SendAgain {
  readonly #ports: SendAgainPorts;

  constructor(ports: SendAgainPorts) {
    this.#ports = ports;
  }

  /** Returns the price of sending the message again. Nothing is logged or sent. */
  async priceOfSendingAgain(chatId: string, attemptId: string, change: SendAgainChange): Promise<SendAgainPrice> {
    const session = await this.#ports.chats.open(chatId);
    const { message, changed } = planResend(await session.whole(), attemptId, change);
    const composed = await session.next.previewAs((state) => changed.view(stateBefore(state, message.id)), message);
    const { inputCost, forecast, model } = composed;
    const cost = costOfReply(composed, session.state);
    const dear = (await session.spending.objections(cost)).find(({ kind }) => kind === 'dear');
    return {
      tokens: shownTokens(composed),
      inputCost: forecast === null ? inputCost : forecast.costNow,
      replyCost: cost.replyUsd,
      isPretended: model.prices?.isPretended === true,
      forecast,
      usd: cost.usd,
      askedAbove: dear?.limit ?? null,
      problem: messageImageProblem(composed) ?? overBudget(composed),
    };
  }

  /**
   * Sends the message and resolves to the id of the new chat before the reply arrives. Errors of the run appear in that
   * chat. The user does not have to approve the accepted price again.
   */
  async sendAgain(chatId: string, attemptId: string, { change, inWords, usd }: AcceptedChange): Promise<string> {
    const session = await this.#ports.chats.open(chatId);
    const state = await session.whole();
    const { message, changed } = planResend(state, attemptId, change);
    const { config } = changed.view(state);
    const sent = transcript(state).messages;
    const copied = sent.slice(
      0,
      sent.findIndex(({ id }) => id === message.id),
    );
    const sentAgain: ResentMessage = {
      attemptId,
      change: inWords,
      after: copied.findLast(({ role }) => role !== 'tool-results')?.id ?? null,
      instead: sumReplyUsage(attemptsOfAnswer(state, attemptId, message)),
    };
    const fork = await this.#ports.chats.fork(session, { message, config, sentAgain, more: changed.events });
    fork.spending.permit(messageText(message), { usd, overCap: false });
    this.#send(fork, message.parts);
    return fork.id;
  }

  #send(fork: ChatSession, parts: UserMessage['parts']): void {
    fork.conversation.sendParts(parts).catch(logFailure(this.#ports));
  }
}

/** A change in two forms: events for the fork, and a changed state of the original chat to compute the price. */
interface ForkChange {
  readonly events: readonly NewEvent[];
  view(state: ChatState): ChatState;
}

interface ResendPlan {
  readonly message: UserMessage;
  readonly changed: ForkChange;
}

function planResend(state: WholeChat, attemptId: string, change: SendAgainChange): ResendPlan {
  const attempt = sentForReply(state, attemptId);
  const message = answeredMessage(state, attempt);
  const model = change.kind === 'model' ? change.model : attempt.model;
  const changed = changeOf(change, { state, attempt, message });
  return {
    message,
    changed: {
      events: changed.events,
      view: (of) => changed.view({ ...of, config: { ...of.config, model } }),
    },
  };
}

/** Returns the attempt `attemptId`. Throws `invalidInput` when it is unknown or its purpose was not a reply. */
export function sentForReply({ attempts }: ChatState, attemptId: string): AttemptState {
  const attempt = attempts.get(attemptId);
  if (attempt === undefined) {
    throw failure('chat.noRequestRecord');
  }
  if (attempt.purpose !== 'reply') {
    throw failure('chat.notSentAgain', { purpose: attempt.purpose });
  }
  return attempt;
}

/** Returns the user message that an attempt answered. In a fork, a copied attempt has no run, only a reply. */
export function answeredMessage({ timeline, runs }: WholeChat, { id, runId }: AttemptState): UserMessage {
  const messages = messagesOf(timeline).filter(isSent);
  const reply = messages.find((message) => message.role === 'assistant' && message.attemptId === id);
  const [found] = turnOf(messages, runs.get(runId ?? '')?.userMessageId ?? reply?.id ?? '');
  if (found?.role !== 'user') {
    throw failure('chat.messageSetAside');
  }
  return found;
}

/** Returns all attempts that answered the message: the attempts of the run or, in a fork, of the replies. */
function attemptsOfAnswer({ timeline, attempts }: WholeChat, attemptId: string, message: UserMessage): readonly AttemptState[] {
  const runId = attempts.get(attemptId)?.runId ?? null;
  const turn = turnOf(messagesOf(timeline).filter(isSent), message.id);
  const replies = new Set(turn.flatMap((each) => (each.role === 'assistant' ? [each.attemptId] : [])));
  return [...attempts.values()].filter((attempt) => (runId === null ? replies.has(attempt.id) : attempt.runId === runId));
}

interface ResendContext {
  readonly state: WholeChat;
  readonly attempt: AttemptState;
  readonly message: UserMessage;
}

function changeOf(change: SendAgainChange, { state, attempt, message }: ResendContext): ForkChange {
  switch (change.kind) {
    case 'model':
      return { events: [], view: (of) => of };
    case 'turn':
      return withoutTurn(change.messageId, stateBefore(state, message.id));
    case 'item': {
      const records = contextRecordsOf(attempt, state.attempts) ?? [];
      const held = records.find(({ item, leftOut }) => leftOut === null && itemKey(item) === change.key);
      const item = state.context.get(change.key) ?? held?.item;
      if (item === undefined) {
        throw failure('chat.fileNotAdded', { key: change.key });
      }
      return withoutItem(baseOf(item));
    }
  }
}

function withoutTurn(messageId: string, { timeline }: ChatState): ForkChange {
  if (!messagesOf(timeline).some(({ id, role }) => id === messageId && role === 'user')) {
    throw failure('chat.messageNotSent');
  }
  return {
    events: [{ type: 'excluded', messageId, leaves: 'now' }],
    view: (of) => ({ ...of, excluded: new Map([...of.excluded, [messageId, 'now'] as const]) }),
  };
}

/** Returns the item without details of how the item was added to the chat. */
function baseOf(item: ContextItemBase): ContextItemBase {
  const { type, name } = item;
  if (type === 'tool') {
    return { type, name, serverName: item.serverName };
  }
  if (type === 'repository') {
    return { type, name: item.name };
  }
  return isResource(item) ? { type: 'reference', name, serverName: item.serverName } : { type, name };
}

/** Returns the removal of an item. `view` must change the state just as the event `context-removed` does. */
function withoutItem(item: ContextItemBase): ForkChange {
  const key = itemKey(item);
  const without = <T>(items: ReadonlyMap<string, T>): ReadonlyMap<string, T> => new Map([...items].filter(([each]) => each !== key));
  return {
    events: [{ type: 'context-removed', item, leaves: 'now' }],
    view: (of) => ({
      ...of,
      context: without(of.context),
      leaving: without(of.leaving),
      removed: isCatalogType(item.type) ? new Map([...of.removed, [key, item]]) : of.removed,
      declined: isCatalogType(item.type) && !of.context.has(key) ? new Set([...of.declined, key]) : of.declined,
    }),
  };
}
