import type { SentMessage } from '../chat/message.js';
import type { CompactionPolicy } from '../chat/slices/compaction.js';

/*
 * When a conversation is summarized, and up to where. All figures are tokens by the model's counter.
 */

/** How a request divides its budget. */
export interface Room {
  /** B: what the whole request may have. */
  readonly budget: number;
  /** What is not conversation: system prompt, tools, files. */
  readonly fixed: number;
  /** The conversation, with the summary of its beginning. */
  readonly history: number;
}

/** The messages behind the checkpoint, with the tokens of each. */
export interface WeighedHistory {
  readonly messages: readonly SentMessage[];
  readonly tokens: readonly number[];
}

export interface PlanSettings {
  readonly policy: CompactionPolicy;
  /** Tokens of the latest messages that `topic-boundary` keeps. */
  readonly verbatimTokens: number;
}

/** The share of the room for the conversation at which `topic-boundary` begins: the rest is for the next message and its reply. */
const TOPIC_SHARE = 0.75;

/** Exchanges that always stay, of the policies that go by tokens or topics. */
const LEAST_EXCHANGES = 2;

/** `rolling-window` keeps so many messages, and fewer only where they do not fit. */
const RECENT_MESSAGES = 6;
const LEAST_RECENT_MESSAGES = 2;

/** `message-count` begins above so many messages, and keeps from `LEAST_COUNTED` to `MOST_COUNTED`. */
const COUNTED_MESSAGES = 80;
const LEAST_COUNTED = 20;
const MOST_COUNTED = 30;

/** The tokens of the conversation above which a policy begins; null for a policy that does not go by tokens. */
export function triggerTokens(policy: CompactionPolicy, { budget, fixed }: Pick<Room, 'budget' | 'fixed'>): number | null {
  const room = Math.max(0, budget - fixed);
  switch (policy) {
    case 'topic-boundary':
      return Math.floor(room * TOPIC_SHARE);
    case 'rolling-window':
      return room;
    case 'message-count':
    case 'manual':
      return null;
  }
}

/** Whether a policy begins by itself. */
export function isDue(policy: CompactionPolicy, room: Room, messages: number): boolean {
  const trigger = triggerTokens(policy, room);
  return trigger === null ? policy === 'message-count' && messages > COUNTED_MESSAGES : room.history > trigger;
}

/** The id of the last message that a policy replaces; null when it finds nothing to replace. */
export function planned(history: WeighedHistory, { policy, verbatimTokens }: PlanSettings): string | null {
  switch (policy) {
    case 'topic-boundary':
      return lastBefore(history, Math.min(verbatimStart(history, verbatimTokens), exchangeStart(history, LEAST_EXCHANGES)));
    case 'rolling-window':
      return lastBefore(history, recentStart(history, RECENT_MESSAGES));
    case 'message-count':
      return lastBefore(history, countedStart(history));
    case 'manual':
      return null;
  }
}

/**
 * Ever tighter ends of the replaced part, for a request that is still too long: what the policy itself keeps, then fewer
 * exchanges, at last only the message that is to be answered. The steps of a conversation that has nothing more to give are
 * left out.
 */
export function ladder(history: WeighedHistory, settings: PlanSettings): readonly string[] {
  const starts = [
    settings.policy === 'rolling-window' ? recentStart(history, LEAST_RECENT_MESSAGES) : exchangeStart(history, LEAST_EXCHANGES),
    exchangeStart(history, 1),
  ];
  const steps = [planned(history, settings), ...starts.map((start) => lastBefore(history, start))];
  return [...new Set(steps.filter((id) => id !== null))];
}

/**
 * The user message that begins the latest exchanges with at most `wanted` tokens together, and at most half of all: in a small
 * window there would be nothing to replace.
 */
function verbatimStart({ messages, tokens }: WeighedHistory, wanted: number): number {
  const most = Math.min(wanted, sumOf(tokens) / 2);
  let [start, sum] = [messages.length, 0];
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    sum += tokens[at] ?? 0;
    if (sum > most) {
      break;
    }
    start = messages[at]?.role === 'user' ? at : start;
  }
  return start;
}

/** The user message that begins the last `count` exchanges; the beginning when there are fewer. */
function exchangeStart({ messages }: WeighedHistory, count: number): number {
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  return starts.at(-count) ?? 0;
}

/** The start of the last `count` messages, and of those before them that belong to the same tool round. */
function recentStart({ messages }: WeighedHistory, count: number): number {
  let start = Math.max(0, messages.length - count);
  while (start > 0 && messages[start]?.role === 'tool-results') {
    start -= 1;
  }
  return start;
}

/** The user message that leaves from 20 to 30 messages; else the next place that tears no tool round apart. */
function countedStart(history: WeighedHistory): number {
  const { messages } = history;
  const [from, to] = [messages.length - MOST_COUNTED, messages.length - LEAST_COUNTED];
  const turn = messages.findIndex(({ role }, index) => index >= from && index <= to && role === 'user');
  return turn === -1 ? recentStart(history, MOST_COUNTED) : turn;
}

function lastBefore({ messages }: WeighedHistory, start: number): string | null {
  return messages[start - 1]?.id ?? null;
}

/** The tokens of the messages up to and including message `to`. */
export function tokensUpTo({ messages, tokens }: WeighedHistory, to: string): number {
  return sumOf(tokens.slice(0, messages.findIndex(({ id }) => id === to) + 1));
}

function sumOf(tokens: readonly number[]): number {
  return tokens.reduce((sum, each) => sum + each, 0);
}
