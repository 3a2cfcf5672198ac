import type { Cost } from '../../model/price.js';
import type { Usage } from '../../model/usage.js';
import type { ModelRef } from '../../model/modelRef.js';
import { unsearched, type OwnSlice } from './slice.js';

/** Purposes of requests other than replies, titles and summaries: text embeddings and token counts. */
export type SidePurpose = 'embedding' | 'count';

/** Sum of requests for one purpose to one model. Token counts of a draft are logged when the user sends it. */
export interface SideRequests {
  readonly purpose: SidePurpose;
  readonly model: ModelRef;
  readonly requests: number;
  readonly usage: Usage | null;
  /** The cost at the prices that applied when the requests were made. Null when unknown. */
  readonly cost: Cost | null;
  /** Whether the requests were certainly not billed. */
  readonly isUnbilled: boolean;
}

export interface LoggedSideRequests extends SideRequests {
  readonly id: string;
  /** When the requests were made, in epoch milliseconds. */
  readonly at: number;
}

export interface SideRequestsState {
  /** Time of the latest side request (epoch ms), loaded or not. Not part of `updatedAt`. Null without side requests. */
  readonly latestSideRequest: number | null;
  /** Side requests by id. A restore point stores only the latest, but its usage totals include all. */
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

/** Number of side requests that a restore point stores with their ids, so that no repeated event is counted twice. */
const KEPT = 20;

/** Returns the latest side requests, oldest first. A restore point stores each of them. */
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
  // Side requests and their cost belong to the chat that made them.
  fork: () => [],
  // Token counts of a draft do not change a chat.
  isUntouched: () => true,
};
