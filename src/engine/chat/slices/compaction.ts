import type { Extent } from '../extent.js';
import { isMessageItem, messagesOf, type BranchState } from '../timeline.js';
import { silent, type Slice } from './slice.js';

/** A part of the conversation that later requests hold in a shorter form. */
export interface Compaction {
  readonly id: string;
  readonly policy: 'topic-boundary' | 'rolling-window' | 'message-count' | 'manual';
  /** What the policy did, such as `truncate` or `summarize`. */
  readonly case: string;
  /** Ids of the first and the last message that it stands for. */
  readonly from: string;
  readonly to: string;
  /** The message of its summary; null where it only cut. */
  readonly summaryId: string | null;
  /** Tokens of what it stands for, and of what stands for that. */
  readonly tokens: { readonly before: number; readonly after: number };
  /** Lines that are kept word for word. */
  readonly lines: readonly string[];
}

export interface CompactionState {
  /** By id, those that were undone apart. */
  readonly compactions: ReadonlyMap<string, Compaction>;
}

export type CompactionEvent =
  | { readonly type: 'compacted'; readonly runId: string | null; readonly compaction: Compaction }
  | { readonly type: 'compaction-undone'; readonly compactionId: string };

type Reads = CompactionState & BranchState & Extent;

/** The checkpoints of a conversation. */
export const compaction: Slice<{
  state: CompactionState;
  event: CompactionEvent;
  json: readonly Compaction[];
  reads: Reads;
  follows: never;
}> = {
  initial: () => ({ compactions: new Map() }),
  events: {
    compacted: silent('slice', (state, event) => {
      state.compactions.set(event.compaction.id, event.compaction);
    }),
    'compaction-undone': silent('slice', (state, { compactionId }, report) => {
      if (!state.compactions.delete(compactionId)) {
        report.missing(`The undoing of the unknown compaction ${compactionId}`);
      }
    }),
  },
  follows: {},
  snapshot: (state) => {
    const active = activeCompaction(state);
    return active === null ? [] : [active];
  },
  restore: (json) => ({ compactions: new Map(json.map((each) => [each.id, each])) }),
  exported: () => [],
  // A fork sends its messages as they were said: it is compacted anew where that is too long.
  fork: () => [],
  isUntouched: (state) => state.compactions.size === 0,
};

/**
 * The latest compaction of the branch on show; null without one. Of a chat whose end is here it may stand for messages
 * before that: those of branches that were left since are not among them.
 */
export function activeCompaction({ compactions, timeline, rewinds, ...rest }: Reads): Compaction | null {
  if (compactions.size === 0) {
    return null;
  }
  const places = new Map(messagesOf(timeline).map(({ id }, index) => [id, index]));
  const isLeft = (id: string): boolean => [...rewinds.values()].some((left) => left.some((item) => isMessageItem(item, id)));
  const placeOf = ({ to }: Compaction): number => places.get(to) ?? BEFORE_END;
  const onBranch = [...compactions.values()].filter(({ to }) => places.has(to) || (rest.extent === 'end' && !isLeft(to)));
  return onBranch.toSorted((a, b) => placeOf(a) - placeOf(b)).at(-1) ?? null;
}

/** In front of all places of the timeline. */
const BEFORE_END = -1;
