import type { Cost } from '../../model/price.js';
import type { Usage } from '../../model/usage.js';
import type { ModelRef } from '../../model/modelRef.js';
import { unsearched, type OwnSlice } from './slice.js';

/** Purposes of requests other than replies, titles and summaries: text embeddings and token counts. */
export type SidePurpose = 'embedding' | 'count';

/** Sum of requests for one purpose to one model. A draft is counted at each typing pause and logged when it is sent. */
export interface SideRequests {
  readonly purpose: SidePurpose;
  readonly model: ModelRef;
  readonly requests: number;
  readonly usage: Usage | null;
  /** Computed with the prices at that time. Null when unknown. */
  readonly cost: Cost | null;
  /** Whether the requests are certainly free. */
  readonly isUnbilled: boolean;
}

export interface LoggedSideRequests extends SideRequests {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface SideRequestsState {
  /** Time of the latest side request, loaded or not (epoch ms). Null without one. It does not change `updatedAt`. */
  readonly latestSideRequest: number | null;
  /** By id. A restore point keeps the latest ones; the usage totals include the others. */
  readonly sideRequests: ReadonlyMap<string, LoggedSideRequests>;
}

export interface SideRequestsMade extends SideRequests {
  readonly type: 'requests-made';
  readonly attemptId: string;
}

interface SideRequestsJson {
  readonly latestSideRequest: number | null;
  readonly kept: readonly LoggedSideRequests[];
}

/** More than the unsaved side requests of a window. They may be on disk already, and must not count twice. */
const KEPT = 20;

/** Returns the latest side requests, oldest first. A restore point keeps them individually. */
export function keptSideRequests({ sideRequests }: Pick<SideRequestsState, 'sideRequests'>): readonly LoggedSideRequests[] {
  return [...sideRequests.values()].slice(-KEPT);
}

export const sideRequests: OwnSlice<SideRequestsState, SideRequestsMade, SideRequestsJson> = {
  initial: () => ({ latestSideRequest: null, sideRequests: new Map() }),
  events: {
    'requests-made': unsearched('slice', (state, { attemptId: id, purpose, model, requests, usage, cost, isUnbilled, at }) => {
      state.sideRequests.set(id, { id, purpose, model, requests, usage, cost, isUnbilled, at });
      state.latestSideRequest = Math.max(state.latestSideRequest ?? at, at);
    }),
  },
  follows: {},
  snapshot: (state) => ({ latestSideRequest: state.latestSideRequest, kept: keptSideRequests(state) }),
  restore: ({ latestSideRequest, kept }) => ({ latestSideRequest, sideRequests: new Map(kept.map((each) => [each.id, each])) }),
  exported: () => [],
  // The chat that made them counts their cost.
  fork: () => [],
  // Counting a draft does not change a chat.
  isUntouched: () => true,
};
