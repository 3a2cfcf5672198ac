import { answeredId } from '../chat/branch.js';
import { excludedParts, withoutExcluded } from '../chat/excludedParts.js';
import { loadsTools, type SentMessage } from '../chat/message/message.js';
import type { ChatState } from '../chat/state.js';

/*
 * The conversation in the form that compaction policies use. A place is an index into the messages; a cut at place n
 * replaces the n messages before it. All sums are computed in one pass over the messages.
 */

/** A message, and its tokens by the model's counter, without those of the wire format, before anything is dropped. */
export interface WeighedMessage {
  readonly message: SentMessage;
  readonly tokens: number;
}

/** The conversation with sums. Entry n of a list of sums is the sum for the first n messages. */
export interface History {
  readonly messages: readonly WeighedMessage[];
  readonly tokensBefore: readonly number[];
  /** Tokens that a cut at each place removes. No cut removes pinned steps, or steps that have loaded tools. */
  readonly freedBefore: readonly number[];
  /** Number of messages that a cut at each place removes. */
  readonly removedBefore: readonly number[];
  /** Places of the user messages. Each user message begins a turn. */
  readonly turns: readonly number[];
}

/** Computes the sums of a conversation. `pinned` are the ids of messages that no cut removes. */
export function historyOf(messages: readonly WeighedMessage[], pinned: ReadonlySet<string>): History {
  const [tokensBefore, freedBefore, removedBefore]: [number[], number[], number[]] = [[0], [0], [0]];
  const turns: number[] = [];
  let [all, freed, removed] = [0, 0, 0];
  for (let place = 0; place < messages.length; ) {
    const end = stepEnd(messages, place);
    const step = messages.slice(place, end);
    const stays = step.some(({ message }) => pinned.has(message.id) || loadsTools(message));
    if (step[0]?.message.role === 'user') {
      turns.push(place);
    }
    for (const { tokens } of step) {
      all += tokens;
      freed += stays ? 0 : tokens;
      removed += stays ? 0 : 1;
      tokensBefore.push(all);
      freedBefore.push(freed);
      removedBefore.push(removed);
    }
    place = end;
  }
  return { messages, tokensBefore, freedBefore, removedBefore, turns };
}

/** Returns the history of the messages after the last summary. `tokens` are those of each message. */
export function historyIn(state: ChatState, messages: readonly SentMessage[], tokens: readonly number[]): History {
  const sent = withoutExcluded(messages, excludedParts({ pinned: [], messages }, state));
  const answered = answeredId(state);
  return historyOf(
    sent.map((message, index) => ({ message, tokens: tokens[index] ?? 0 })),
    new Set([...state.pinned, ...(answered === null ? [] : [answered])]),
  );
}

/** Returns how many of these messages a cut after them removes. `pinned`: ids of messages that no cut removes. */
export function removedIn(messages: readonly SentMessage[], pinned: ReadonlySet<string>): number {
  const { removedBefore } = historyOf(
    messages.map((message) => ({ message, tokens: 0 })),
    pinned,
  );
  return removedBefore.at(-1) ?? 0;
}

/** Returns the end of the step that begins at `place`. A step is a message and the tool results directly after it. */
function stepEnd(messages: readonly WeighedMessage[], place: number): number {
  let end = place + 1;
  while (messages[end]?.message.role === 'tool-results') {
    end += 1;
  }
  return end;
}

export function historyTokens({ tokensBefore }: History): number {
  return tokensBefore.at(-1) ?? 0;
}

/** Returns the last cut at or before `place` that does not separate tool calls from their results, or 0. */
export function cutAtOrBefore({ messages }: History, place: number): number {
  let cut = Math.max(0, Math.min(place, messages.length));
  while (cut > 0 && messages[cut]?.message.role === 'tool-results') {
    cut -= 1;
  }
  return cut;
}

/**
 * Returns the places between the steps of the last turn. Empty when the conversation does not end with tool results.
 * The user message of the turn can be missing in `messages`, when a compaction has replaced the first steps of the
 * turn.
 */
export function stepsOfLastTurn({ messages, turns }: History): readonly number[] {
  const from = turns.at(-1) ?? 0;
  if (messages.at(-1)?.message.role !== 'tool-results') {
    return [];
  }
  const isAfterStep = (place: number): boolean =>
    messages[place - 1]?.message.role === 'tool-results' && messages[place]?.message.role === 'assistant';
  return messages.map((_, place) => place).filter((place) => place > from && isAfterStep(place));
}

/** Returns the last cut that keeps at least `least` turns, and always one turn. Returns 0 if no turn can be cut. */
export function lastCutKeeping({ turns }: History, least: number): number {
  return turns.at(-Math.max(1, least)) ?? 0;
}

/** Returns the first place with at most `tokens` tokens after it. */
export function windowBegin(history: History, tokens: number): number {
  const before = historyTokens(history) - tokens;
  return history.tokensBefore.findIndex((sum) => sum >= before);
}
