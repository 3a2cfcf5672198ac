import { unsearched, type OwnSlice } from './slice.js';

/** The id of the text that extensions add to the workspace message. It is no part of the system prompt. */
export const WORKSPACE_TEXT = 'workspace';

export interface FragmentsState {
  /** The custom fragments of the system prompt by id, in the order in which they were first set, and the text above. */
  readonly fragments: ReadonlyMap<string, string>;
}

/** The user or another extension set a fragment of the system prompt. A null text removes the fragment. */
interface FragmentSet {
  readonly type: 'fragment-set';
  /** Not `id`, which is the id of the event. */
  readonly fragmentId: string;
  readonly text: string | null;
}

export const fragments: OwnSlice<FragmentsState, FragmentSet, readonly (readonly [id: string, text: string])[]> = {
  initial: () => ({ fragments: new Map() }),
  events: {
    'fragment-set': unsearched('slice', (state, { fragmentId, text }) => {
      if (text === null) {
        state.fragments.delete(fragmentId);
      } else {
        state.fragments.set(fragmentId, text);
      }
    }),
  },
  follows: {},
  snapshot: (state) => [...state.fragments],
  restore: (json) => ({ fragments: new Map(json) }),
  exported: () => [],
  fork: (state) => [...state.fragments].map(([fragmentId, text]) => ({ type: 'fragment-set', fragmentId, text })),
  isUntouched: (state) => state.fragments.size === 0,
};
