import fc from 'fast-check';
import { LoupeError } from '../../../src/engine/errors.js';
import type { ErrorKind } from '../../../src/engine/failures/entry.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { messages } from './reading.js';

/** A user's action in a chat. `userIds` are the messages that can be edited or retried. */
export type Operation = (session: ChatSession, userIds: readonly string[]) => Promise<unknown>;

export type WeightedOperation = fc.WeightedArbitrary<Operation>;

export const userIdsOf = ({ state }: ChatSession): string[] => messages(state).flatMap(({ role, id }) => (role === 'user' ? [id] : []));

export const pick = <T>(from: readonly T[], at: number): T | undefined => from[at % Math.max(1, from.length)];

export const at = fc.nat({ max: 999 });

const file = at.map(
  (n) =>
    ({ type: 'file', name: `f${String(n % 3)}`, includeMode: 'manual', addedHash: null, given: { inline: `text ${String(n)}` } }) as const,
);

/** An operation with a random value. `weight` is its relative frequency. */
export function weighted<T>(weight: number, made: fc.Arbitrary<T>, of: (value: T) => Operation): WeightedOperation {
  return { weight, arbitrary: made.map(of) };
}

export function conversationOperations(
  text: fc.Arbitrary<string>,
  weights: { readonly send: number; readonly change: number },
): WeightedOperation[] {
  return [
    weighted(weights.send, text, (value) => (session) => session.conversation.send(value)),
    weighted(
      weights.change,
      fc.tuple(at, text),
      ([n, value]) =>
        (session, ids) =>
          session.conversation.edit(pick(ids, n) ?? '', value),
    ),
    weighted(weights.change, at, (n) => (session, ids) => session.conversation.retry(pick(ids, n) ?? '')),
    weighted(weights.change, at, (n) => (session) => session.conversation.restoreBranch(pick([...session.state.rewinds.keys()], n) ?? '')),
  ];
}

export const CONTEXT_OPERATIONS: readonly WeightedOperation[] = [
  weighted(1, file, (item) => (session) => session.context.add(item)),
  weighted(1, file, (item) => (session) => session.context.remove(item)),
];

/** Errors for actions that are impossible now or exceed the chat's limits. */
const REFUSALS: readonly ErrorKind[] = ['invalidInput', 'contextOverflow'];

/** Returns whether it succeeded. Expected refusals are no failure. */
export async function attempt(done: Promise<unknown>): Promise<boolean> {
  try {
    await done;
    return true;
  } catch (thrown) {
    if (thrown instanceof LoupeError && REFUSALS.includes(thrown.kind)) {
      return false;
    }
    throw thrown;
  }
}
