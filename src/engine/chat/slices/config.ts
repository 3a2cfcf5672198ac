import type { ChatConfig } from '../settings/config.js';
import { defaultConfig } from '../settings/configValues.js';
import { unsearched, type OwnSlice } from './slice.js';

export interface ConfigState {
  readonly config: ChatConfig;
}

export interface ConfigChanged {
  readonly type: 'config-changed';
  readonly change: Partial<ChatConfig>;
}

export const config: OwnSlice<ConfigState, ConfigChanged, ChatConfig> = {
  initial: (created) => ({ config: withDefaults(created.config) }),
  events: {
    'config-changed': unsearched('slice', (state, { change }) => {
      state.config = { ...state.config, ...change };
    }),
  },
  follows: {},
  snapshot: (state) => state.config,
  restore: (json) => ({ config: withDefaults(json) }),
  exported: () => [],
  // Nothing, because the settings of a fork are in its `chat-created` event.
  fork: () => [],
  isUntouched: () => true,
};

/** Adds the defaults of settings that did not exist when the chat was created. */
function withDefaults(config: ChatConfig): ChatConfig {
  return { ...defaultConfig(config.model), ...config };
}
