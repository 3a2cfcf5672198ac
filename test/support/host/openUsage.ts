import assert from 'node:assert/strict';
import type { OtherUsage } from '../../../src/host/usage/otherUsage.js';
import type { UsageRows } from '../../../src/host/usage/usageRows.js';
import { UsageView } from '../../../src/host/usage/usageView.js';
import {
  USAGE_STATE,
  type UsageFigures,
  type UsageMessage,
  type UsageRequests,
  type UsageState,
} from '../../../src/protocol/usage/usage.js';
import { BILLED_PRICES } from './billedModels.js';
import type { Window } from './window.js';

export const NO_OTHERS: Pick<OtherUsage, 'chats' | 'titles' | 'readAll' | 'held'> = {
  chats: [],
  titles: new Map(),
  readAll: () => Promise.resolve(),
  held: () => Promise.resolve(new Map()),
};

export interface OpenedUsage {
  readonly view: UsageView;
  readonly state: () => UsageState;
  readonly figures: () => UsageFigures;
  readonly requests: () => UsageRequests;
}

/** Opens the usage view with the state that a webview makes of its messages. */
export function openUsage({ chats, settings, clock, errors }: Window, rows: UsageRows, others: typeof NO_OTHERS): OpenedUsage {
  const view = new UsageView({
    chats,
    settings,
    rows,
    others,
    now: () => clock.now(),
    localTime: (at) => at,
    pricesOf: () => BILLED_PRICES,
    labelOf: ({ model }) => model,
    logError: (error) => errors.push(error),
  });
  const shown: { state: UsageState | null } = { state: null };
  view.channel.connect((message: UsageMessage) => {
    const { type } = message;
    shown.state = type === 'snapshot' ? message.state : shown.state === null ? null : USAGE_STATE.apply(shown.state, message.delta);
  });
  view.channel.ready();
  const state = (): UsageState => {
    assert.ok(shown.state !== null, 'there was no snapshot');
    return shown.state;
  };
  const part = <T>(value: T | null): T => {
    assert.ok(value !== null, 'the chats are not read yet');
    return value;
  };
  return { view, state, figures: () => part(state().figures), requests: () => part(state().requests) };
}
