import type { NewEvent } from '../chat/slices/table.js';
import { newId } from '../chat/order/ids.js';
import { type AssistantMessage, toolCallsOf } from '../chat/message/message.js';
import type { ToolCallPart } from '../model/part.js';
import { type Reply, type ReplyEnding, replyParts } from '../chat/message/reply.js';
import { type ErrorRecord, failure, toErrorRecord } from '../errors.js';
import { raceAbort } from './abortRace.js';
import { type AskOutcome, type RunPorts, ask } from './ask.js';
import type { AttemptResult } from './attempt.js';
import { type PreparedRequest, type RunEvents, type RunInput, SHUT_DOWN } from './input.js';
import { MOST_RETRIES, finalRecord } from './retry.js';
import { type KnownCalls, runTools, syntheticResult } from './tools.js';

/**
 * Number of steps of one run after which Loupe asks the user whether to continue. After each further 25 steps, Loupe
 * asks the user again. Each step is a paid request with the whole chat, and a model in a loop can make several requests
 * per second.
 */
export const STEPS_UNASKED = 25;

/** Maximum consecutive steps in which no call could run. A model that still makes such calls makes no progress. */
export const MOST_IDLE_STEPS = 2;

/**
 * One run, from its user message to exactly one ending. The caller logs each `RunEvents` before it asks for the next.
 * So the user message is on the disk before the model is called. The start of a tool is logged before the tool runs.
 * Failures of a provider, a tool or the context end the run; they are not thrown.
 *
 * The endings:
 *
 * - committed
 * - stopped: finished parts stay, and open calls get synthetic results. Also when the user declines to continue.
 * - rolled back: failed before any tool ran. Later requests contain nothing of the run.
 * - failed: after a tool ran, or because the model keeps calling tools that cannot run. Complete steps stay.
 * - interrupted: the extension host shut down.
 */
export async function* run(input: RunInput, ports: RunPorts): AsyncGenerator<RunEvents, void, void> {
  const { runId, userMessage, cause } = input;
  const started: NewEvent = { type: 'run-started', runId, userMessageId: userMessage.id, cause };
  const message: NewEvent = { type: 'message', runId, message: userMessage };
  yield { events: input.isNew ? [message, started] : [started], persistence: 'durable' };
  yield* runSteps(input, ports);
}

interface RunProgress {
  steps: number;
  /** Consecutive steps in which no call could run. */
  idle: number;
  toolsRan: boolean;
}

async function* runSteps(input: RunInput, ports: RunPorts): AsyncGenerator<RunEvents, void, void> {
  const progress: RunProgress = { steps: 0, idle: 0, toolsRan: false };
  if (input.open !== null && !(yield* runCalls(toolCallsOf(input.open.reply), input.open, progress, { input, ports }))) {
    return;
  }
  for (;;) {
    const answer = yield* nextReply(input, ports, progress.toolsRan);
    if (answer === null) {
      return;
    }
    const { prepared, result } = answer;
    const message = assistantMessage(prepared, result.reply, {
      ports,
      // A filter, or an unknown stop reason, can cut a reply off just like the output limit. The last call of the reply
      // can then be incomplete.
      ending: result.ended.stopReason === 'end' || result.ended.stopReason === 'toolCalls' ? 'complete' : 'cutOff',
    });
    const said: NewEvent = { type: 'message', runId: input.runId, message };
    const { ended } = result;
    const calls = toolCallsOf(message);
    if (calls.length === 0) {
      yield { events: [ended, said, { type: 'run-committed', runId: input.runId }], persistence: 'durable' };
      return;
    }
    yield { events: [ended, said], persistence: 'written' };
    const known = { results: new Map(), approvals: new Map(), isCutOff: result.ended.stopReason === 'length' };
    if (!(yield* runCalls(calls, known, progress, { input, ports }))) {
      return;
    }
  }
}

/** Runs the calls of a reply. Returns true if the run continues, and false if it has ended. */
async function* runCalls(
  calls: readonly ToolCallPart[],
  known: KnownCalls,
  progress: RunProgress,
  { input, ports }: { readonly input: RunInput; readonly ports: RunPorts },
): AsyncGenerator<RunEvents, boolean, void> {
  const { runId, signal, control } = input;
  const tools = yield* runTools(calls, known, input, ports.clock);
  progress.steps += 1;
  progress.toolsRan ||= tools.anyStarted;
  progress.idle = tools.anyStarted || tools.anyAnswered ? 0 : progress.idle + 1;
  const results = { role: 'tool-results', id: newId(ports.clock, ports.random), parts: tools.results } as const;
  const answered: NewEvent = { type: 'message', runId, message: results };
  if (signal.aborted && signal.reason === SHUT_DOWN && tools.anyWaiting) {
    // The step stays open. After the user's answer, the run continues: see `openStep`.
    yield { events: [stopEvent(input)], persistence: 'durable' };
    return false;
  }
  if (signal.aborted) {
    yield { events: [answered, stopEvent(input)], persistence: 'durable' };
    return false;
  }
  if (progress.idle >= MOST_IDLE_STEPS) {
    const error = toErrorRecord(failure('tool.noneRan', { rounds: MOST_IDLE_STEPS }));
    yield { events: [answered, { type: 'run-failed', runId, error }], persistence: 'durable' };
    return false;
  }
  if (progress.steps % STEPS_UNASKED !== 0) {
    yield { events: [answered], persistence: 'written' };
    return true;
  }
  yield { events: [answered, { type: 'run-asked', runId, steps: progress.steps }], persistence: 'durable' };
  if ((await raceAbort(control.continueDecision(), signal)) === true) {
    return true;
  }
  yield { events: [stopEvent(input)], persistence: 'durable' };
  return false;
}

type CompleteReply = Extract<AskOutcome, { readonly outcome: 'answered' }>;

/** Returns the complete reply to the next request. Null if the run ended without a complete reply. */
async function* nextReply(input: RunInput, ports: RunPorts, toolsRan: boolean): AsyncGenerator<RunEvents, CompleteReply | null, void> {
  const asked = yield* ask({ ...input, purpose: 'reply', mostRetries: MOST_RETRIES }, ports);
  switch (asked.outcome) {
    case 'answered':
      return asked;
    case 'incomplete':
      yield endOfIncomplete(input, asked.prepared, asked.result, { ports, toolsRan });
      return null;
    case 'unprepared':
      yield ending([], input, asked.error, toolsRan);
      return null;
    case 'aborted':
      yield { events: [stopEvent(input)], persistence: 'durable' };
      return null;
  }
}

/** Returns the last events of an attempt that was stopped, interrupted or failed for good. */
function endOfIncomplete(
  input: RunInput,
  prepared: PreparedRequest,
  result: AttemptResult,
  { ports, toolsRan }: { ports: RunPorts; toolsRan: boolean },
): RunEvents {
  if (result.outcome === 'failed') {
    const error = finalRecord(result);
    return ending([{ ...result.ended, error }], input, error, toolsRan);
  }
  if (result.outcome === 'interrupted') {
    return { events: [result.ended, stopEvent(input)], persistence: 'durable' };
  }
  const newEvents: NewEvent[] = [result.ended];
  const message = assistantMessage(prepared, result.reply, { ports, ending: 'stopped' });
  if (message.parts.length > 0) {
    newEvents.push({ type: 'message', runId: input.runId, message });
    const calls = toolCallsOf(message);
    if (calls.length > 0) {
      const parts = calls.map(syntheticResult);
      const results = { role: 'tool-results', id: newId(ports.clock, ports.random), parts } as const;
      newEvents.push({ type: 'message', runId: input.runId, message: results });
    }
  }
  return { events: [...newEvents, stopEvent(input)], persistence: 'durable' };
}

function ending(before: readonly NewEvent[], input: RunInput, error: ErrorRecord, toolsRan: boolean): RunEvents {
  const type = toolsRan ? 'run-failed' : 'run-rolled-back';
  return { events: [...before, { type, runId: input.runId, error }], persistence: 'durable' };
}

function stopEvent(input: RunInput): NewEvent {
  return { type: input.signal.reason === SHUT_DOWN ? 'run-interrupted' : 'run-stopped', runId: input.runId };
}

function assistantMessage(
  prepared: PreparedRequest,
  reply: Reply,
  { ports, ending: how }: { ports: RunPorts; ending: ReplyEnding },
): AssistantMessage {
  const origin = { protocol: prepared.model.protocol, model: prepared.model.ref.model };
  return {
    role: 'assistant',
    id: newId(ports.clock, ports.random),
    parts: replyParts(reply, origin, how),
    attemptId: prepared.attemptId,
    cacheControlIndex: prepared.cacheControlIndex,
    stopped: how === 'stopped',
  };
}
