import { loadsTools, toolCallsOf, type AssistantMessage, type SentMessage } from './message/message.js';
import type { Exclusions, ExclusionTime } from './slices/marks.js';

export interface ExcludedParts {
  /** The messages of excluded turns, by id. */
  readonly messages: ReadonlyMap<string, ExcludedMessage>;
  /** Excluded tool calls with the time of their removal, by reply id, then call id. Their results are omitted, too. */
  readonly calls: ReadonlyMap<string, ReadonlyMap<string, ExclusionTime>>;
}

export interface ExcludedMessage {
  /** The id of the user message that starts the turn. */
  readonly turn: string;
  readonly removal: ExclusionTime;
}

export const NOTHING_EXCLUDED: ExcludedParts = { messages: new Map(), calls: new Map() };

/**
 * Returns what the user excluded from the given messages. Excluding a user message excludes its turn. Excluding a reply
 * excludes all its tool calls, or a single call. The results are excluded with their calls, because requests need both.
 * The running turn is never excluded. Calls that loaded tools are never excluded, because later calls need these tools.
 * In `pinned` (older than the checkpoint), an excluded user message excludes only itself, not the replies to it.
 */
export function excludedParts(
  { pinned, messages }: { readonly pinned: readonly SentMessage[]; readonly messages: readonly SentMessage[] },
  exclusions: Exclusions,
): ExcludedParts {
  const { excluded, excludedCalls } = exclusions;
  if (excluded.size + excludedCalls.size === 0) {
    return NOTHING_EXCLUDED;
  }
  const found = { messages: new Map<string, ExcludedMessage>(), calls: new Map<string, ReadonlyMap<string, ExclusionTime>>() };
  for (const [at, message] of pinned.entries()) {
    recordExclusion(pinned, at, { turn: ownTurn(message, excluded), calls: excludedCallsOf(message, exclusions) }, found);
  }
  const end = endOfConcluded(messages);
  let turn: ExcludedMessage | null = null;
  for (const [at, message] of messages.slice(0, end).entries()) {
    turn = message.role === 'user' ? ownTurn(message, excluded) : turn;
    recordExclusion(messages, at, { turn, calls: excludedCallsOf(message, exclusions) }, found);
  }
  return found;
}

function excludedCallsOf(message: SentMessage, { excluded, excludedCalls }: Exclusions): ReadonlyMap<string, ExclusionTime> {
  const all = excluded.get(message.id);
  const single = excludedCalls.get(message.id);
  const calls = message.role === 'assistant' && (all !== undefined || single !== undefined) ? toolCallsOf(message) : [];
  return new Map(
    calls.flatMap(({ id }) => {
      const leaves = single?.get(id) ?? all;
      return leaves === undefined ? [] : [[id, leaves] as const];
    }),
  );
}

function ownTurn({ role, id }: SentMessage, excluded: Exclusions['excluded']): ExcludedMessage | null {
  const removal = role === 'user' ? excluded.get(id) : undefined;
  return removal === undefined ? null : { turn: id, removal };
}

/** Records an excluded message with its results, or excluded calls. Results are excluded only with their calls. */
function recordExclusion(
  messages: readonly SentMessage[],
  at: number,
  by: { readonly turn: ExcludedMessage | null; readonly calls: ReadonlyMap<string, ExclusionTime> },
  found: { readonly messages: Map<string, ExcludedMessage>; readonly calls: Map<string, ReadonlyMap<string, ExclusionTime>> },
): void {
  const step = stepAt(messages, at);
  const [message] = step;
  if (message === undefined || message.role === 'tool-results' || step.some(loadsTools)) {
    return;
  }
  if (by.turn !== null) {
    for (const { id } of step) {
      found.messages.set(id, by.turn);
    }
  } else if (by.calls.size > 0) {
    found.calls.set(message.id, by.calls);
  }
}

function stepAt(messages: readonly SentMessage[], at: number): readonly SentMessage[] {
  let end = at + 1;
  while (messages[end]?.role === 'tool-results') {
    end += 1;
  }
  return messages.slice(at, end);
}

/** Returns the index at which the unfinished turn begins, or the number of messages if every turn is finished. */
export function endOfConcluded(messages: readonly SentMessage[]): number {
  const last = messages.at(-1);
  const isConcluded = last === undefined || (last.role === 'assistant' && toolCallsOf(last).length === 0);
  return isConcluded
    ? messages.length
    : Math.max(
        0,
        messages.findLastIndex(({ role }) => role === 'user'),
      );
}

/** Returns whether a reply has tool calls and the user excluded all of them. */
export function lacksAllCalls(message: AssistantMessage, out: Pick<ReadonlyMap<string, unknown>, 'has'>): boolean {
  const calls = toolCallsOf(message);
  return calls.length > 0 && calls.every(({ id }) => out.has(id));
}

/** Removes the excluded parts. If all parts of a message are excluded, the message has an empty list of parts. */
export function withoutExcluded(messages: readonly SentMessage[], { messages: turns, calls }: ExcludedParts): readonly SentMessage[] {
  let out: ReadonlyMap<string, ExclusionTime> = new Map();
  return messages.map((message) => {
    if (turns.has(message.id)) {
      return { ...message, parts: [] };
    }
    switch (message.role) {
      case 'user':
        out = new Map();
        return message;
      case 'assistant':
        out = calls.get(message.id) ?? new Map<string, ExclusionTime>();
        return out.size === 0 ? message : { ...message, parts: remainingParts(message, out) };
      case 'tool-results':
        return out.size === 0 ? message : { ...message, parts: message.parts.filter(({ callId }) => !out.has(callId)) };
    }
  });
}

/** Returns the parts of a reply without the excluded calls. If no call is left, reasoning is removed, too. */
function remainingParts(message: AssistantMessage, out: ReadonlyMap<string, ExclusionTime>): AssistantMessage['parts'] {
  const isForgotten = lacksAllCalls(message, out);
  return message.parts.filter((part) => (part.type === 'toolCall' ? !out.has(part.id) : part.type === 'text' || !isForgotten));
}
