import type { Extent } from '../extent.js';
import { isMessageItem, type BranchState } from '../timeline.js';
import { unsearched, type FoldReport, type Slice } from './slice.js';

/** When something leaves the requests: with the next one, whatever that costs, or with the next relayout. */
export type Leaves = 'now' | 'later';

export interface MarksState {
  /** Ids of messages that no compaction removes. */
  readonly pinned: ReadonlySet<string>;
  /** What requests leave out, by the ids of messages: the turn that a message of the user begins, or the tool calls of a reply. */
  readonly excluded: ReadonlyMap<string, Leaves>;
}

export type MarkEvent =
  | { readonly type: 'pinned'; readonly messageId: string }
  | { readonly type: 'unpinned'; readonly messageId: string }
  /** `leaves` is missing for `later`. */
  | { readonly type: 'excluded'; readonly messageId: string; readonly leaves?: 'now' }
  | { readonly type: 'included'; readonly messageId: string };

interface MarksJson {
  readonly pinned: readonly string[];
  readonly excluded: readonly (readonly [messageId: string, leaves: Leaves])[];
}

type Reads = MarksState & BranchState & Extent;

/** What the user has decided about single messages. */
export const marks: Slice<{ state: MarksState; event: MarkEvent; json: MarksJson; reads: Reads; follows: never }> = {
  initial: () => ({ pinned: new Set(), excluded: new Map() }),
  events: {
    pinned: unsearched('slice', (state, { messageId }, report) => {
      state.pinned.add(messageId);
      refuseUnknown(state, messageId, report);
    }),
    unpinned: unsearched('slice', ({ pinned }, { messageId }) => void pinned.delete(messageId)),
    excluded: unsearched('slice', ({ excluded }, { messageId, leaves }) => void excluded.set(messageId, leaves ?? 'later')),
    included: unsearched('slice', ({ excluded }, { messageId }) => void excluded.delete(messageId)),
  },
  follows: {},
  snapshot: (state) => ({ pinned: [...state.pinned], excluded: [...state.excluded] }),
  restore: ({ pinned, excluded }) => ({ pinned: new Set(pinned), excluded: new Map(excluded) }),
  exported: () => [],
  fork: (state, { messages }) => {
    const ids = messages.map(({ id }) => id);
    return [
      ...ids.filter((id) => state.pinned.has(id)).map((messageId) => ({ type: 'pinned', messageId }) as const),
      ...ids.flatMap((messageId) => exclusionOf(messageId, state) ?? []),
    ];
  },
  isUntouched: (state) => state.pinned.size === 0 && state.excluded.size === 0,
};

/** The event that leaves a message out as it is left out; null for one that is not. */
function exclusionOf(messageId: string, { excluded }: Pick<MarksState, 'excluded'>): MarkEvent | null {
  const leaves = excluded.get(messageId);
  return leaves === undefined ? null : { type: 'excluded', messageId, ...(leaves === 'now' ? { leaves } : {}) };
}

/** Requests need pinned messages, so a pinned message that is not loaded makes the chat load whole. */
function refuseUnknown(state: Pick<Reads, 'timeline'> & Extent, id: string, report: FoldReport): void {
  if (state.extent === 'end' && ![...state.earlier.kept, ...state.timeline].some((item) => isMessageItem(item, id))) {
    report.missing(`The pinning of the unknown message ${id}`);
  }
}
