import { unsearched, type OwnSlice } from './slice.js';

export interface IdleState {
  /** Id of the last reply before the pause in which the user declined what Loupe does for the cache. Null if never. */
  readonly declinedAfter: string | null;
}

export interface IdleDeclined {
  readonly type: 'idle-declined';
  /** Id of the attempt of the last reply. */
  readonly after: string;
}

export const idle: OwnSlice<IdleState, IdleDeclined, string | null> = {
  initial: () => ({ declinedAfter: null }),
  events: {
    'idle-declined': unsearched('slice', (state, { after }) => {
      state.declinedAfter = after;
    }),
  },
  follows: {},
  snapshot: (state) => state.declinedAfter,
  restore: (json) => ({ declinedAfter: json }),
  exported: () => [],
  // The pauses of a fork are its own.
  fork: () => [],
  isUntouched: () => true,
};
