import { chatTitle, type TitleSource } from '../message/opening.js';
import type { Slice } from './slice.js';

export interface TitleState {
  /** Null if the chat has no title. Lists then show the first line of the chat. */
  readonly title: string | null;
}

export interface TitleGiven {
  readonly type: 'title';
  readonly title: string;
  readonly by: 'user' | 'model';
}

export const title: Slice<{ state: TitleState; event: TitleGiven; json: string | null; reads: TitleSource; follows: never }> = {
  initial: () => ({ title: null }),
  events: {
    title: {
      order: 'slice',
      said: (event) => ({ role: 'title', messageId: null, attemptId: null, texts: [event.title] }),
      apply: (state, event) => {
        state.title = event.title;
      },
    },
  },
  follows: {},
  snapshot: (state) => state.title,
  restore: (json) => ({ title: json }),
  exported: (state) => [`# ${chatTitle(state)}`],
  fork: (state) => [{ type: 'title', title: `${chatTitle(state)} (fork)`, by: 'user' }],
  isUntouched: (state) => state.title === null,
};
