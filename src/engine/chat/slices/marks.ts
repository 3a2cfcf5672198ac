import type { Extent } from '../extent.js';
import { isMessageItem, type BranchState } from '../timeline.js';
import { unsearched, type FoldReport, type Slice } from './slice.js';

/** When Loupe removes an excluded turn or tool call: `now` in the next request, `later` when the prompt is rebuilt. */
export type ExclusionTime = 'now' | 'later';

export interface MarksState {
  /** Ids of pinned messages. Requests send them even after a summary. */
  readonly pinned: ReadonlySet<string>;
  /** Exclusions of whole turns, by user message id, and of all tool calls of a reply, by reply id. */
  readonly excluded: ReadonlyMap<string, ExclusionTime>;
  /** Tool calls that the user excluded from requests one by one, by the id of the reply and the id of the call. */
  readonly excludedCalls: ReadonlyMap<string, ReadonlyMap<string, ExclusionTime>>;
}

export type Exclusions = Pick<MarksState, 'excluded' | 'excludedCalls'>;

export type MarkEvent =
  | { readonly type: 'pinned'; readonly messageId: string }
  | { readonly type: 'unpinned'; readonly messageId: string }
  /** Excludes one call (`callId`), a turn, or all calls of a reply. Without `leaves`, the exclusion time is `later`. */
  | { readonly type: 'excluded'; readonly messageId: string; readonly callId?: string; readonly leaves?: 'now' }
  | { readonly type: 'included'; readonly messageId: string; readonly callId?: string };

interface MarksJson {
  readonly pinned: readonly string[];
  readonly excluded: readonly (readonly [messageId: string, leaves: ExclusionTime])[];
  readonly excludedCalls: readonly (readonly [messageId: string, calls: readonly (readonly [callId: string, leaves: ExclusionTime])[]])[];
}

type MarksSliceState = MarksState & BranchState & Extent;

export const marks: Slice<{ state: MarksState; event: MarkEvent; json: MarksJson; reads: MarksSliceState; follows: never }> = {
  initial: () => ({ pinned: new Set(), excluded: new Map(), excludedCalls: new Map() }),
  events: {
    pinned: unsearched('slice', (state, { messageId }, report) => {
      state.pinned.add(messageId);
      refuseUnknown(state, messageId, report);
    }),
    unpinned: unsearched('slice', ({ pinned }, { messageId }) => void pinned.delete(messageId)),
    excluded: unsearched('slice', ({ excluded, excludedCalls }, { messageId, callId, leaves }) => {
      if (callId !== undefined) {
        excludedCalls.set(messageId, new Map(excludedCalls.get(messageId)).set(callId, leaves ?? 'later'));
        return;
      }
      excluded.set(messageId, leaves ?? 'later');
      excludedCalls.delete(messageId);
    }),
    included: unsearched('slice', ({ excluded, excludedCalls }, { messageId, callId }) => {
      const others = [...(excludedCalls.get(messageId) ?? [])].filter(([id]) => callId !== undefined && id !== callId);
      excludedCalls.delete(messageId);
      if (others.length > 0) {
        excludedCalls.set(messageId, new Map(others));
      }
      if (callId === undefined) {
        excluded.delete(messageId);
      }
    }),
  },
  follows: {},
  snapshot: ({ pinned, excluded, excludedCalls }) => ({
    pinned: [...pinned],
    excluded: [...excluded],
    excludedCalls: [...excludedCalls].map(([messageId, calls]) => [messageId, [...calls]] as const),
  }),
  restore: ({ pinned, excluded, excludedCalls }) => ({
    pinned: new Set(pinned),
    excluded: new Map(excluded),
    excludedCalls: new Map(excludedCalls.map(([messageId, calls]) => [messageId, new Map(calls)] as const)),
  }),
  exported: () => [],
  fork: (state, { messages }) => {
    const ids = messages.map(({ id }) => id);
    return [
      ...ids.filter((id) => state.pinned.has(id)).map((messageId) => ({ type: 'pinned', messageId }) as const),
      ...ids.flatMap((messageId) => exclusionsOf(messageId, state)),
    ];
  },
  isUntouched: (state) => state.pinned.size + state.excluded.size + state.excludedCalls.size === 0,
};

/** Returns the events with which a fork excludes the same parts of a message. */
function exclusionsOf(messageId: string, { excluded, excludedCalls }: Exclusions): MarkEvent[] {
  const leaves = excluded.get(messageId);
  return [
    ...(leaves === undefined ? [] : [exclusion({ messageId }, leaves)]),
    ...[...(excludedCalls.get(messageId) ?? [])].map(([callId, when]) => exclusion({ messageId, callId }, when)),
  ];
}

export function exclusion(of: { readonly messageId: string; readonly callId?: string }, leaves: ExclusionTime): MarkEvent {
  return { type: 'excluded', ...of, ...(leaves === 'now' ? { leaves } : {}) };
}

/** Reports a pinned message that is not loaded, so that the whole chat is loaded. Requests need pinned messages. */
function refuseUnknown(state: Pick<MarksSliceState, 'timeline'> & Extent, id: string, report: FoldReport): void {
  if (state.extent === 'end' && ![...state.earlier.kept, ...state.timeline].some((item) => isMessageItem(item, id))) {
    report.missing(`The pinning of the unknown message ${id}`);
  }
}
