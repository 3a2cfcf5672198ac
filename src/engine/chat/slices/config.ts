import type { ChatConfig } from '../config.js';
import { silent, type OwnSlice } from './slice.js';

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
    'config-changed': silent('slice', (state, { change }) => {
      state.config = { ...state.config, ...change };
    }),
  },
  follows: {},
  snapshot: (state) => state.config,
  restore: (json) => ({ config: json }),
  exported: () => [],
  // A fork is created with the settings.
  fork: () => [],
  isUntouched: () => true,
};
