import type { ChatConfig } from '../config.js';
import { unsearched, type OwnSlice } from './slice.js';

export interface ConfigState {
  readonly config: ChatConfig;
}

export interface ConfigChanged {
  readonly type: 'config-changed';
  readonly change: Partial<ChatConfig>;
}

/** The settings of a chat. */
export const config: OwnSlice<ConfigState, ConfigChanged, ChatConfig> = {
  initial: (created) => ({ config: created.config }),
  events: {
    'config-changed': unsearched('slice', (state, { change }) => {
      state.config = { ...state.config, ...change };
    }),
  },
  follows: {},
  snapshot: (state) => state.config,
  restore: (json) => ({ config: json }),
  exported: () => [],
  // The settings of a fork are in its `chat-created` event.
  fork: () => [],
  isUntouched: () => true,
};
