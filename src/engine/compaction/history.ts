import { loadsTools, type SentMessage } from '../chat/message/message.js';

/*
 * The conversation as policies see it. A place is an index into the messages; a cut at place n replaces the n messages
 * before it. Sums are made once, in one pass over the messages, so that each decision reads them.
 */

/** A message of the conversation that the next request sends, with its tokens by the model's counter. Shedding and framing are not in it. */
export interface WeighedMessage {
  readonly message: SentMessage;
  readonly tokens: number;
}

/** Lists of sums have one entry more than there are messages: entry n is about the n messages before place n. */
export interface History {
  readonly messages: readonly WeighedMessage[];
  /** Tokens before each place. */
  readonly tokensBefore: readonly number[];
  /** Tokens and messages that a cut at each place removes at least: those of no turn round with a pinned message, and of none that has loaded tools. */
  readonly freedBefore: readonly number[];
  readonly removedBefore: readonly number[];
  /** Places of the user messages. Each begins an exchange: the message, and all that follows up to the next. */
  readonly exchanges: readonly number[];
}

/** `pinned` has the ids of messages that stay wherever the cut is. */
export function historyOf(messages: readonly WeighedMessage[], pinned: ReadonlySet<string>): History {
  const [tokensBefore, freedBefore, removedBefore]: [number[], number[], number[]] = [[0], [0], [0]];
  const exchanges: number[] = [];
  let [all, freed, removed] = [0, 0, 0];
  for (let place = 0; place < messages.length; ) {
    const end = roundEnd(messages, place);
    const round = messages.slice(place, end);
    const stays = round.some(({ message }) => pinned.has(message.id) || loadsTools(message));
    if (round[0]?.message.role === 'user') {
      exchanges.push(place);
    }
    for (const { tokens } of round) {
      all += tokens;
      freed += stays ? 0 : tokens;
      removed += stays ? 0 : 1;
      tokensBefore.push(all);
      freedBefore.push(freed);
      removedBefore.push(removed);
    }
    place = end;
  }
  return { messages, tokensBefore, freedBefore, removedBefore, exchanges };
}

/** The place behind the turn round that begins at `place`: a message and the tool results directly after it. */
function roundEnd(messages: readonly WeighedMessage[], place: number): number {
  let end = place + 1;
  while (messages[end]?.message.role === 'tool-results') {
    end += 1;
  }
  return end;
}

/** Tokens of the whole conversation. */
export function historyTokens({ tokensBefore }: History): number {
  return tokensBefore.at(-1) ?? 0;
}

/** The last cut at `place` or before it that separates no tool call from its results; 0 when there is none. */
export function cutAtOrBefore({ messages }: History, place: number): number {
  let cut = Math.max(0, Math.min(place, messages.length));
  while (cut > 0 && messages[cut]?.message.role === 'tool-results') {
    cut -= 1;
  }
  return cut;
}

/**
 * The places between the rounds of tool calls of the last turn, while it goes on calling tools. Its question may be before the
 * messages, where a compaction replaced its first rounds.
 */
export function roundsOfLastTurn({ messages, exchanges }: History): readonly number[] {
  const from = exchanges.at(-1) ?? 0;
  if (messages.at(-1)?.message.role !== 'tool-results') {
    return [];
  }
  const isBehindRound = (place: number): boolean =>
    messages[place - 1]?.message.role === 'tool-results' && messages[place]?.message.role === 'assistant';
  return messages.map((_, place) => place).filter((place) => place > from && isBehindRound(place));
}

/** The last cut that leaves `least` exchanges, and at least one; 0 when the conversation has no more than these. */
export function lastCutThatLeaves({ exchanges }: History, least: number): number {
  return exchanges.at(-Math.max(1, least)) ?? 0;
}

/** Where the last `tokens` tokens begin: the first place behind which there are no more. */
export function windowBegin(history: History, tokens: number): number {
  const before = historyTokens(history) - tokens;
  return history.tokensBefore.findIndex((sum) => sum >= before);
}
