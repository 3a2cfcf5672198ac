import assert from 'node:assert/strict';
import { Diagnoses } from '../../../src/engine/diagnosis/diagnoses.js';
import { ChatTurnsReader } from '../../../src/host/usage/chatTurnsReader.js';
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
import type { UsageTurns } from '../../../src/protocol/usage/turns.js';
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
  readonly turns: () => UsageTurns;
}

export function turnsReader({ chats, models }: Pick<Window, 'chats' | 'models'>): ChatTurnsReader {
  return new ChatTurnsReader({
    whole: async (chatId) => (await chats.open(chatId)).whole(),
    diagnoses: new Diagnoses(() => models.list()),
    pricesOf: (ref) => models.listed(ref)?.prices ?? null,
  });
}

/** Opens the usage view with the state that a webview makes of its messages. */
export function openUsage(
  { chats, settings, clock, errors, models, quotas }: Window,
  rows: UsageRows,
  others: typeof NO_OTHERS,
): OpenedUsage {
  const view = new UsageView({
    chats,
    settings,
    rows,
    others,
    turns: turnsReader({ chats, models }),
    quotas,
    models,
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
  return { view, state, figures: () => part(state().figures), requests: () => part(state().requests), turns: () => part(state().turns) };
}
