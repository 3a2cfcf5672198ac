import { unsearched, type OwnSlice } from './slice.js';

export interface SpendCapState {
  /** The user's limit for the total cost of this chat, in US dollars. Null for no limit of its own. */
  readonly spendCap: number | null;
}

export interface SpendCapSet {
  readonly type: 'spend-cap';
  readonly usd: number | null;
}

export const spendCap: OwnSlice<SpendCapState, SpendCapSet, number | null> = {
  initial: () => ({ spendCap: null }),
  events: {
    'spend-cap': unsearched('slice', (state, { usd }) => {
      state.spendCap = usd;
    }),
  },
  follows: {},
  snapshot: (state) => state.spendCap,
  restore: (json) => ({ spendCap: json }),
  exported: () => [],
  fork: (state) => (state.spendCap === null ? [] : [{ type: 'spend-cap', usd: state.spendCap }]),
  isUntouched: () => true,
};
