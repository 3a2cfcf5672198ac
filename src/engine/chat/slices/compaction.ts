import type { Extent } from '../extent.js';
import { isMessageItem, messagesOf, type BranchState } from '../timeline.js';
import { unsearched, type Slice } from './slice.js';

/** A part of the conversation that later requests replace by a shorter form. */
export interface Compaction {
  readonly id: string;
  readonly policy: 'topic-boundary' | 'rolling-window' | 'message-count' | 'manual';
  /** What the policy did, such as `truncate` or `summarize`. */
  readonly case: string;
  /** Ids of the first and the last message that it replaces. */
  readonly from: string;
  readonly to: string;
  /** The id of its summary message; null when it only truncates. */
  readonly summaryId: string | null;
  /** Tokens of the replaced messages (`before`) and of their replacement (`after`). */
  readonly tokens: { readonly before: number; readonly after: number };
  /** Lines kept verbatim. */
  readonly lines: readonly string[];
}

export interface CompactionState {
  /** By id, without undone ones. */
  readonly compactions: ReadonlyMap<string, Compaction>;
}

export type CompactionEvent =
  | { readonly type: 'compacted'; readonly runId: string | null; readonly compaction: Compaction }
  | { readonly type: 'compaction-undone'; readonly compactionId: string };

type Reads = CompactionState & BranchState & Extent;

/** The compactions of a conversation. */
export const compaction: Slice<{
  state: CompactionState;
  event: CompactionEvent;
  json: readonly Compaction[];
  reads: Reads;
  follows: never;
}> = {
  initial: () => ({ compactions: new Map() }),
  events: {
    compacted: unsearched('slice', (state, event) => {
      state.compactions.set(event.compaction.id, event.compaction);
    }),
    'compaction-undone': unsearched('slice', (state, { compactionId }, report) => {
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
  // A fork sends its messages in full. If they are too long, it compacts them anew.
  fork: () => [],
  isUntouched: (state) => state.compactions.size === 0,
};

/**
 * The latest compaction of the current branch; null without one. When only the end of a chat is loaded, a compaction may
 * replace messages before it. Then it counts unless its last message is on a discarded branch.
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

/** Sorts before all places of the timeline. */
const BEFORE_END = -1;
