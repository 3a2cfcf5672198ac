import type { SentMessage } from '../../../engine/chat/message/message.js';
import type { KnownCompaction } from '../../../engine/chat/slices/compaction.js';
import { factsOf, type FactKind } from '../../../engine/compaction/facts/facts.js';
import { factTest } from '../../../engine/compaction/facts/keptIn.js';
import { MessageFacts } from '../../../engine/compaction/facts/messageFacts.js';
import { MOST_LOST, type KeptFacts } from '../../../protocol/panel/compaction.js';

/** The kinds of facts with their labels, in display order. */
const LABELS: readonly (readonly [FactKind, string])[] = [
  ['constraint', 'Constraints'],
  ['decision', 'Decisions'],
  ['question', 'Open questions'],
  ['statement', 'Your statements'],
  ['path', 'File paths'],
  ['error', 'Error texts'],
  ['figure', 'Figures'],
  ['identifier', 'Names in code'],
];

const known = new WeakMap<KnownCompaction, readonly KeptFacts[]>();

/** Returns which facts of the replaced messages a summary kept. Cached, because neither ever changes. */
export function keptFactsOf(compaction: KnownCompaction, replaced: readonly SentMessage[], text: string): readonly KeptFacts[] {
  const facts = known.get(compaction) ?? keptFacts(replaced, text);
  known.set(compaction, facts);
  return facts;
}

/** Returns per kind how many facts the summary kept, and which are lost. Omits kinds without facts. */
export function keptFacts(replaced: readonly SentMessage[], text: string): readonly KeptFacts[] {
  const facts = factsOf(replaced, new MessageFacts());
  const isKept = factTest(text);
  return LABELS.flatMap(([kind, label]) => {
    const all = facts.filter((fact) => fact.kind === kind);
    const lost = all.filter((fact) => !isKept(fact)).map((fact) => fact.text);
    return all.length === 0 ? [] : [{ label, kept: all.length - lost.length, all: all.length, lost: lost.slice(0, MOST_LOST) }];
  });
}
