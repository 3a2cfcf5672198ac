import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { AttemptOutcome } from '../../../src/engine/chat/slices/attempts.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { LOG_VERSION } from '../../../src/engine/chat/order/stamp.js';
import type { ChatState } from '../../../src/engine/chat/state.js';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import { defaultConfig } from '../../../src/engine/chat/settings/configValues.js';
import { foldLog } from './folds.js';
import type { Message } from '../../../src/engine/chat/message/message.js';
import type { ErrorRecord } from '../../../src/engine/errors.js';
import { NO_ADAPTATIONS } from '../../../src/engine/record/adaptations.js';
import type { Manifest } from '../../../src/engine/record/manifest.js';
import type { Usage } from '../../../src/engine/model/usage.js';
import { OPEN_MODEL } from './models.js';
import { characters } from './ports.js';

export const CONFIG: ChatConfig = defaultConfig(OPEN_MODEL.ref);

export const EMPTY_MANIFEST: Manifest = {
  base: null,
  ordinal: 1,
  layout: 'plain',
  blocks: [],
  marks: [],
  context: [],
  toolNames: [],
  params: { maxOutputTokens: null, extraBody: {} },
  converterVersion: 'test/1',
  bodyHash: '',
  promptHash: '',
  counter: characters.id,
  size: { tokens: 0, counted: 0, basis: 'exact', error: null },
  adaptations: NO_ADAPTATIONS,
};

export function errorRecord(message: string): ErrorRecord {
  return { code: 'connection.refused', kind: 'network', message, retryable: true, detail: null, inputLimit: null };
}

/** Usage as a provider reports it. `fresh` is uncached input. */
export function usage(fresh: number, read: number, written: number, output: number): Usage {
  const reported = (value: number): { value: number; source: 'reported' } => ({ value, source: 'reported' });
  return {
    promptTokens: reported(fresh),
    cacheReadInputTokens: reported(read),
    cacheCreationInputTokens: reported(written),
    cacheCreation: null,
    completionTokens: reported(output),
  };
}

type Draft<T extends NewEvent['type']> = Extract<NewEvent, { readonly type: T }>;

export function created(): Draft<'chat-created'> {
  return { type: 'chat-created', chatId: 'sess_1_aaaaaa', config: CONFIG, folders: ['file:///project'], parent: null };
}

export function logged(runId: string | null, message: Message): NewEvent {
  return { type: 'message', runId, message };
}

export function runStarted(runId: string, userMessageId: string): NewEvent {
  return { type: 'run-started', runId, userMessageId, cause: 'message' };
}

export function attemptStarted(runId: string, attemptId: string): Draft<'attempt-started'> {
  return {
    type: 'attempt-started',
    runId,
    attemptId,
    purpose: 'reply',
    model: OPEN_MODEL.ref,
    protocol: OPEN_MODEL.protocol,
    manifest: EMPTY_MANIFEST,
  };
}

export function attemptEnded(runId: string, attemptId: string, outcome: AttemptOutcome): Draft<'attempt-ended'> {
  return {
    type: 'attempt-ended',
    runId,
    attemptId,
    outcome,
    usage: null,
    rawUsage: null,
    cost: null,
    responseId: null,
    stopReason: outcome === 'complete' ? 'end' : null,
    error: outcome === 'failed' ? errorRecord('The connection broke.') : null,
    retry: null,
    exchange: null,
  };
}

export function toolStarted(runId: string, callId: string): NewEvent {
  return { type: 'tool-started', runId, callId, name: 'read' };
}

/** Returns the events as one writer's log: consecutive sequence numbers, one millisecond apart. */
export function stamp(drafts: readonly NewEvent[], writer: string): ChatEvent[] {
  return drafts.map((draft, index) => ({
    ...draft,
    v: LOG_VERSION,
    seq: index + 1,
    id: `${writer}-${String(index + 1)}`,
    at: 1_000 + index,
    writer,
  }));
}

/** Returns the state of a chat with these events after its creation. */
export function stateOf(...drafts: NewEvent[]): ChatState {
  return folded(stamp([created(), ...drafts], 'w'));
}

export function folded(events: readonly ChatEvent[]): ChatState {
  return foldLog(events).state;
}

/** Converts a state to plain JSON, so that all of it can be compared. */
export function plainState(state: ChatState): unknown {
  // The order of attempts and runs has no meaning: they are looked up by id.
  const plain = (_name: string, value: unknown): unknown => (value instanceof Map ? [...value] : value instanceof Set ? [...value] : value);
  const byId = <T>(found: ReadonlyMap<string, T>): [string, T][] => [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.parse(JSON.stringify({ ...state, attempts: byId(state.attempts), runs: byId(state.runs) }, plain));
}

export function branchIds(state: ChatState): string[] {
  return state.timeline.flatMap((item) => (item.kind === 'message' ? [item.message.id] : []));
}
