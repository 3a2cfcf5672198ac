import type { Cost } from '../../model/price.js';
import type { Usage } from '../../model/usage.js';
import type { ModelRef } from '../../model/modelRef.js';
import { unsearched, type OwnSlice } from './slice.js';

/** What Loupe asks a provider for in addition to replies, titles and summaries: vectors of texts, or the number of tokens. */
export type SidePurpose = 'embedding' | 'count';

/** Requests of one purpose to one model as a sum: a draft is counted at each pause in writing, and logged when it is sent. */
export interface SideRequests {
  readonly purpose: SidePurpose;
  readonly model: ModelRef;
  /** The number of requests. */
  readonly requests: number;
  readonly usage: Usage | null;
  /** At the prices of that time; null when unknown. */
  readonly cost: Cost | null;
  /** Whether they are certainly free. */
  readonly isUnbilled: boolean;
}

export interface LoggedSideRequests extends SideRequests {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface SideRequestsState {
  /** Epoch milliseconds of the latest of all, loaded or not; null for none. They do not move `updatedAt`. */
  readonly latestSideRequest: number | null;
  /** By id. A restore point keeps the latest: the ledger has the others. */
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

/** More than a window has that are not saved yet. These may be on the disk all the same, and must not be counted twice. */
const KEPT = 20;

/** The side requests that a restore point keeps one by one, oldest first. */
export function keptSideRequests({ sideRequests }: Pick<SideRequestsState, 'sideRequests'>): readonly LoggedSideRequests[] {
  return [...sideRequests.values()].slice(-KEPT);
}

/** The requests outside of runs. Only the ledger and the views of usage read them. */
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
  // Their spend counts in the chat that made them.
  fork: () => [],
  // Counts of a draft leave the chat as it was.
  isUntouched: () => true,
};
