import fc from 'fast-check';
import type { SentMessage } from '../../../src/engine/chat/message.js';
import type { ToolMemory } from '../../../src/engine/request/toolMemory.js';

/** A tool memory, mostly on, and places of messages that are pinned. */
export const anyMemory = fc.record({
  turns: fc.constantFrom<ToolMemory['forgetAfterConclusions'][]>(null, 0, 0, 1, 2),
  pinned: fc.array(fc.nat(40), { maxLength: 2 }),
});

/** The tool memory of a chat with these messages. */
export function memoryOf(
  { turns, pinned }: typeof anyMemory extends fc.Arbitrary<infer T> ? T : never,
  messages: readonly SentMessage[],
): ToolMemory {
  return { forgetAfterConclusions: turns, pinned: new Set(pinned.flatMap((at) => messages[at]?.id ?? [])) };
}

/** Forgets after so many turns, and nothing is pinned. */
export function forgetAfter(turns: ToolMemory['forgetAfterConclusions']): { readonly toolMemory: ToolMemory } {
  return { toolMemory: { forgetAfterConclusions: turns, pinned: new Set() } };
}
