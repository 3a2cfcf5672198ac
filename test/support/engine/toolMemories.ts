import fc from 'fast-check';
import { excludedParts } from '../../../src/engine/chat/excludedParts.js';
import { toolCallsOf, type SentMessage } from '../../../src/engine/chat/message/message.js';
import type { ExclusionTime } from '../../../src/engine/chat/slices/marks.js';
import type { RequestInput } from '../../../src/engine/request/request.js';
import type { ToolMemory } from '../../../src/engine/request/toolMemory.js';

/** A tool memory, usually on, and the places of pinned and excluded messages, usually none. */
export const anyMemory = fc.record({
  turns: fc.constantFrom<ToolMemory['forgetAfterConclusions'][]>(null, 0, 0, 1, 2),
  pinned: fc.array(fc.nat(40), { maxLength: 2 }),
  excluded: fc
    .array(fc.record({ at: fc.nat(40), call: fc.nat(3), leaves: fc.constantFrom<ExclusionTime[]>('now', 'later') }), { maxLength: 8 })
    .map((marks) => marks.slice(4)),
});

export function memoryOf(
  { turns, pinned, excluded }: typeof anyMemory extends fc.Arbitrary<infer T> ? T : never,
  messages: readonly SentMessage[],
): Pick<RequestInput, 'toolMemory' | 'excluded'> {
  const marks = { excluded: new Map<string, ExclusionTime>(), excludedCalls: new Map<string, Map<string, ExclusionTime>>() };
  for (const { at, call, leaves } of excluded) {
    const message = messages[at];
    const single = message?.role === 'assistant' ? toolCallsOf(message)[call] : undefined;
    if (message !== undefined && single !== undefined) {
      marks.excludedCalls.set(message.id, new Map(marks.excludedCalls.get(message.id)).set(single.id, leaves));
    } else if (message !== undefined) {
      marks.excluded.set(message.id, leaves);
    }
  }
  return {
    toolMemory: { forgetAfterConclusions: turns, pinned: new Set(pinned.flatMap((at) => messages[at]?.id ?? [])) },
    excluded: excludedParts({ pinned: [], messages }, marks),
  };
}

/** Forgets after this many turns. Nothing is pinned. */
export function forgetAfter(turns: ToolMemory['forgetAfterConclusions']): { readonly toolMemory: ToolMemory } {
  return { toolMemory: { forgetAfterConclusions: turns, pinned: new Set() } };
}
