import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import { historyOf, type History } from '../../../src/engine/compaction/history.js';
import type { Plan } from '../../../src/engine/compaction/plan.js';
import { assistant, call, result, results, text, user } from './messages.js';

export type Weighed = readonly [message: SentMessage, tokens: number];

export function asked(id: string, tokens: number): Weighed {
  return [user(id, `question ${id}`), tokens];
}

export function replied(id: string, tokens: number): Weighed {
  return [assistant(id, `answer ${id}`), tokens];
}

export function toolRound(id: string, tokens: number): readonly [Weighed, Weighed] {
  return [
    [assistant(`${id}-call`, call(`call-${id}`, {})), tokens],
    [results(`${id}-result`, result(`call-${id}`, text('read'))), tokens],
  ];
}

/** Returns `count` exchanges u0 a0 u1 a1 ..., each message with `tokens` tokens. */
export function exchanges(count: number, tokens: number): readonly Weighed[] {
  return Array.from({ length: count }, (_, n) => [asked(`u${n}`, tokens), replied(`a${n}`, tokens)]).flat();
}

export function history(messages: readonly Weighed[], ...pinned: string[]): History {
  return historyOf(
    messages.map(([message, tokens]) => ({ message, tokens })),
    new Set(pinned),
  );
}

/** Returns the ids of the messages after the cut of a plan. */
export function staying({ messages }: History, plan: Plan): readonly string[] {
  const ids = messages.map(({ message }) => message.id);
  return plan.case === 'none' ? ids : ids.slice(ids.indexOf(plan.to) + 1);
}
