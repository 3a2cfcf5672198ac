import assert from 'node:assert/strict';
import { type InspectorPorts, InspectorView } from '../../../src/host/inspector/inspectorView.js';
import { attemptHint, attemptVerdict, diagnosisPorts } from '../../../src/host/request/verdict/attemptDiagnosis.js';
import { Drafts } from '../../../src/host/chat/drafts.js';
import { newId } from '../../../src/engine/chat/order/ids.js';
import { sha256 } from '../../../src/host/window/systemPorts.js';
import { systemRandom } from '../../../src/host/window/systemRandom.js';
import {
  firstQuery,
  INSPECTOR_STATE,
  type InspectedRequest,
  type InspectorDetail,
  type InspectorMessage,
  type InspectorQuery,
  type InspectorState,
} from '../../../src/protocol/inspector/inspector.js';
import { DraftFiles } from '../../../src/storage/drafts.js';
import { until } from './clocks.js';
import type { Window } from './window.js';

export interface OpenedInspector {
  readonly view: InspectorView;
  readonly state: () => InspectorState;
  readonly request: () => InspectedRequest;
  readonly detail: () => InspectorDetail;
  /** Asks for a part of the visible request, and waits for it. */
  readonly ask: (change: Partial<InspectorQuery>, isThere: (state: InspectorState) => boolean) => Promise<void>;
}

/** Opens a request's inspector with the state that a webview makes of its messages. */
export async function openInspector(
  { chats, models, clock, errors, folder }: Window,
  chatId: string,
  { id, ports }: { readonly id: string; readonly ports: Partial<InspectorPorts> },
): Promise<OpenedInspector> {
  const logError: InspectorPorts['logError'] = (error) => errors.push(error);
  const diagnosis = diagnosisPorts(models, { logError });
  const view = new InspectorView(chatId, {
    chats,
    drafts: new Drafts(new DraftFiles(folder), () => newId(clock, systemRandom), logError),
    sha256,
    blobs: (of) => chats.exported.blobs(of),
    listed: models.listed.bind(models),
    verdict: (state, attempt) => attemptVerdict(state, attempt, diagnosis),
    hint: (state, attempt) => attemptHint(state, attempt, { ...diagnosis, blobs: chats.exported.blobs(state.chatId) }),
    observation: () => null,
    hasUnknownTools: () => Promise.resolve(false),
    now: () => clock.now(),
    logError,
    ...ports,
  });
  const shown: { state: InspectorState | null } = { state: null };
  view.channel.connect((message: InspectorMessage) => {
    shown.state =
      message.type === 'snapshot' ? message.state : shown.state === null ? null : INSPECTOR_STATE.apply(shown.state, message.delta);
    // The verdict depends on the time.
    const { verdict } = shown.state ?? view.channel.state;
    assert.deepEqual(shown.state, { ...view.channel.state, verdict }, 'A member was not derived when its source changed.');
  });
  await view.show(chatId, id);
  view.channel.ready();
  const state = (): InspectorState => known(shown.state);
  return {
    view,
    state,
    request: () => known(state().request),
    detail: () => known(state().detail),
    ask: async (change, isThere) => {
      view.ask({ ...firstQuery(id), ...change });
      await until(() => isThere(state()), 'what was asked for');
    },
  };
}

function known<T>(value: T | null): T {
  assert.ok(value !== null, 'it is read');
  return value;
}
