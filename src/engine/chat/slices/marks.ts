import type { Extent } from '../extent.js';
import { isMessageItem, type BranchState } from '../timeline.js';
import { unsearched, type FoldReport, type Slice } from './slice.js';

export interface MarksState {
  /** Ids of messages that no compaction removes. */
  readonly pinned: ReadonlySet<string>;
  /** Ids of messages that requests leave out. */
  readonly excluded: ReadonlySet<string>;
}

export type MarkEvent =
  | { readonly type: 'pinned'; readonly messageId: string }
  | { readonly type: 'unpinned'; readonly messageId: string }
  | { readonly type: 'excluded'; readonly messageId: string }
  | { readonly type: 'included'; readonly messageId: string };

interface MarksJson {
  readonly pinned: readonly string[];
  readonly excluded: readonly string[];
}

type Reads = MarksState & BranchState & Extent;

/** What the user has decided about single messages. */
export const marks: Slice<{ state: MarksState; event: MarkEvent; json: MarksJson; reads: Reads; follows: never }> = {
  initial: () => ({ pinned: new Set(), excluded: new Set() }),
  events: {
    pinned: unsearched('slice', (state, { messageId }, report) => {
      state.pinned.add(messageId);
      refuseUnknown(state, messageId, report);
    }),
    unpinned: unsearched('slice', ({ pinned }, { messageId }) => void pinned.delete(messageId)),
    excluded: unsearched('slice', ({ excluded }, { messageId }) => void excluded.add(messageId)),
    included: unsearched('slice', ({ excluded }, { messageId }) => void excluded.delete(messageId)),
  },
  follows: {},
  snapshot: (state) => ({ pinned: [...state.pinned], excluded: [...state.excluded] }),
  restore: ({ pinned, excluded }) => ({ pinned: new Set(pinned), excluded: new Set(excluded) }),
  exported: () => [],
  fork: (state, { messages }) => {
    const ids = messages.map(({ id }) => id);
    return [
      ...ids.filter((id) => state.pinned.has(id)).map((messageId) => ({ type: 'pinned', messageId }) as const),
      ...ids.filter((id) => state.excluded.has(id)).map((messageId) => ({ type: 'excluded', messageId }) as const),
    ];
  },
  isUntouched: (state) => state.pinned.size === 0 && state.excluded.size === 0,
};

/** Requests need pinned messages, so a pinned message that is not loaded makes the chat load whole. */
function refuseUnknown(state: Pick<Reads, 'timeline'> & Extent, id: string, report: FoldReport): void {
  if (state.extent === 'end' && ![...state.earlier.kept, ...state.timeline].some((item) => isMessageItem(item, id))) {
    report.missing(`The pinning of the unknown message ${id}`);
  }
}
