import type { Approval, AskedTool, BoundApproval } from '../chat/calls/calls.js';
import type { ToolCallPart, ToolResultPart } from '../model/part.js';
import type { NewEvent } from '../chat/slices/table.js';
import { type LoupeError, toLoupeError } from '../errors.js';
import { DEEPEST_JSON, type JsonObject } from '../json.js';
import { isUnfinishedObject } from '../objectEnd.js';
import type { Clock } from '../ports.js';
import { LOST_RESULT } from '../request/adapt/adaptedParts.js';
import { FIND_TOOLS } from '../tools/findTools.js';
import type { CallOutcome, CallableTool } from '../tools/offered.js';
import { raceAbort } from './abortRace.js';
import type { OpenStep, RunEvents, RunInput } from './input.js';
import { storeEdits, withLargeTextsKept } from './largeTexts.js';
import { mergeGenerators } from './merged.js';

export interface ToolStep {
  /** One result for each call, in the order of the calls. */
  readonly results: readonly ToolResultPart[];
  /** Whether a tool started, which may have had side effects. */
  readonly anyStarted: boolean;
  /** Whether the user answered a question about a call. Such a step is not idle, even if no tool ran. */
  readonly anyAnswered: boolean;
  /** Whether the run was aborted while a call waited for the user's answer. */
  readonly anyWaiting: boolean;
}

/** Maximum number of calls of one reply that run at once: more calls than models make, but few processes at once. */
const MOST_AT_ONCE = 32;

/** Earlier results and answers for calls that are about to run. */
export type KnownCalls = Pick<OpenStep, 'results' | 'approvals' | 'isCutOff'>;

interface CallRun {
  readonly result: ToolResultPart;
  readonly started: boolean;
  readonly answered: boolean;
  readonly waiting: boolean;
}

/**
 * Runs the calls of one reply concurrently. A call does not run if its arguments are not a JSON object, or if its tool
 * was not offered. The result of the call then says why. Other calls run after the user has allowed them. After an
 * abort, open calls get synthetic results. Large texts of the returned results are already stored as blobs.
 */
export async function* runTools(
  calls: readonly ToolCallPart[],
  known: KnownCalls,
  input: RunInput,
  clock: Clock,
): AsyncGenerator<RunEvents, ToolStep, void> {
  const runs = yield* mergeGenerators(
    calls.map((call) => runCall(call, known, input, clock)),
    MOST_AT_ONCE,
  );
  return {
    results: runs.map(({ result }) => result),
    anyStarted: runs.some(({ started }) => started),
    anyAnswered: runs.some(({ answered }) => answered),
    anyWaiting: runs.some(({ waiting }) => waiting),
  };
}

async function* runCall(
  call: ToolCallPart,
  { results, approvals, isCutOff }: KnownCalls,
  input: RunInput,
  clock: Clock,
): AsyncGenerator<RunEvents, CallRun, void> {
  const without = (result: ToolResultPart): CallRun => ({ result, started: false, answered: false, waiting: false });
  const known = results.get(call.id);
  if (known !== undefined) {
    return { ...without(known), started: true };
  }
  if (input.signal.aborted) {
    return without(unstartedResult(call));
  }
  const { args } = call;
  if (args === null) {
    return without(await withLargeTextsKept(errorResult(call, `The tool did not run: ${whyNoArguments(call, isCutOff)}`), input));
  }
  const permitted = yield* permittedTool({ ...call, args }, approvals.get(call.id) ?? null, input);
  if (permitted === 'abortedInWait') {
    return { ...without(unstartedResult(call)), waiting: true };
  }
  if (permitted === null || typeof permitted === 'string') {
    return without(missingToolResult(call, permitted));
  }
  const { tool, approval, isAnswered } = permitted;
  if (approval?.scope === 'refused') {
    return { ...without(errorResult(call, refusalText(approval))), answered: true };
  }
  const result = yield* startedCall(call, tool, input, clock);
  return { result, started: true, answered: isAnswered, waiting: false };
}

/** Returns why a call did not run, for a call whose arguments are not a JSON object. */
function whyNoArguments({ rawArgs }: ToolCallPart, isCutOff: boolean): string {
  if (!isUnfinishedObject(rawArgs)) {
    return `its arguments are not a JSON object with at most ${DEEPEST_JSON} levels. They were: ${rawArgs}`;
  }
  const why = isCutOff ? 'were cut by the output limit of the reply' : 'end before they are complete';
  return `its arguments ${why}. Call it again with shorter arguments, or divide the work into several calls. They were: ${rawArgs}`;
}

/** Returns the result of a call whose tool cannot run. */
function missingToolResult(call: ToolCallPart, why: 'aborted' | 'notLoaded' | null): ToolResultPart {
  switch (why) {
    case 'aborted':
      return unstartedResult(call);
    case 'notLoaded':
      return errorResult(call, `The tool did not run: ${call.name} is not loaded. Load it with ${FIND_TOOLS}, then call it.`);
    case null:
      return errorResult(call, `The tool did not run: there is no tool named ${call.name}.`);
  }
}

/** A tool with the user's answer. `approval` is null if the tool needs no approval. */
interface PermittedTool {
  readonly tool: CallableTool;
  readonly approval: Approval | null;
  /** Whether the user answered this call. False if an earlier permission covers the tool. */
  readonly isAnswered: boolean;
}

/**
 * Finds the tool of a call and asks the user whether it may run. If the tool changes while the user decides, Loupe asks
 * the user again about the changed tool. `abortedInWait`: aborted after a question to the user. Null: no such tool.
 */
async function* permittedTool(
  call: ToolCallPart & { readonly args: JsonObject },
  earlier: BoundApproval | null,
  input: RunInput,
): AsyncGenerator<RunEvents, PermittedTool | 'aborted' | 'abortedInWait' | 'notLoaded' | null, void> {
  // Only the loop below assigns this variable. Without the cast, TypeScript infers null.
  let answered = null as BoundApproval | null;
  for (;;) {
    const tool = await raceAbort(input.tools.find(call.name, call.args, input.signal), input.signal);
    if (tool === 'aborted') {
      return answered === null ? 'aborted' : 'abortedInWait';
    }
    if (tool === null || tool === 'notLoaded') {
      return tool;
    }
    if (tool.asks === null || answered?.binding === tool.asks.binding) {
      return { tool, approval: answered, isAnswered: answered !== null };
    }
    const known = knownAnswer(tool.asks, tool, earlier);
    const approval = yield* approved(call, tool.asks, known, input);
    if (approval === 'aborted') {
      return 'abortedInWait';
    }
    if (known !== null || approval.scope === 'refused') {
      return { tool, approval, isAnswered: tool.allowed === null };
    }
    answered = { ...approval, binding: tool.asks.binding };
  }
}

/** Returns the user's earlier answer for the call or its tool. Null without an answer, or if the tool has changed. */
function knownAnswer({ binding }: AskedTool, { allowed }: CallableTool, earlier: BoundApproval | null): Approval | null {
  if (earlier?.binding === binding) {
    return { scope: earlier.scope, reason: earlier.reason };
  }
  return allowed === null ? null : { scope: allowed, reason: null };
}

/** Asks the user whether a call may run, unless the answer is already known. */
async function* approved(
  call: ToolCallPart,
  asks: AskedTool,
  known: Approval | null,
  input: RunInput,
): AsyncGenerator<RunEvents, Approval | 'aborted', void> {
  const { runId } = input;
  const argsHash = input.sha256(call.rawArgs);
  const asked: NewEvent = { type: 'tool-asked', runId, callId: call.id, ...asks, argsHash };
  if (known !== null) {
    yield { events: [asked, { type: 'tool-approval', runId, callId: call.id, argsHash, ...known }], persistence: 'written' };
    return known;
  }
  // Durable, so that a crash of the computer does not lose the question.
  yield { events: [asked], persistence: 'durable' };
  return raceAbort(input.control.approvalOf(call.id), input.signal);
}

function refusalText({ reason }: Approval): string {
  return reason === null
    ? 'The tool did not run: the user refused this call.'
    : `The tool did not run: the user refused this call and says: ${reason}`;
}

async function* startedCall(
  call: ToolCallPart,
  tool: CallableTool,
  input: RunInput,
  clock: Clock,
): AsyncGenerator<RunEvents, ToolResultPart, void> {
  const { runId } = input;
  // The side effects of a tool survive a power failure, so the record of the start must survive, too.
  yield { events: [{ type: 'tool-started', runId, callId: call.id, name: call.name }], persistence: 'durable' };
  const began = clock.now();
  const { edits, unapplied, ...returned } = await callTool(call, tool, input);
  const result = await withLargeTextsKept(returned, input);
  const durationMs = clock.now() - began;
  const ended: NewEvent = { type: 'tool-ended', runId, callId: call.id, result, durationMs, edits: await storeEdits(edits, input) };
  yield { events: [unapplied === undefined ? ended : { ...ended, unapplied }], persistence: 'written' };
  return result;
}

type ToolReturn = ToolResultPart & Pick<CallOutcome, 'edits' | 'unapplied'>;

/** Calls a tool, unless the run was stopped while the start was logged. An abort ends the wait at once. */
async function callTool(call: ToolCallPart, tool: CallableTool, { signal, control, keepBlob }: RunInput): Promise<ToolReturn> {
  const either = AbortSignal.any([signal, control.stopOf(call.id)]);
  const outcome = await calledUntil(either, () =>
    tool.call(call.args ?? {}, { signal: either, onProgress: control.progressed.bind(control, call.id), keepBlob }),
  );
  if (outcome !== 'aborted') {
    return 'failed' in outcome
      ? { ...errorResult(call, `The tool failed: ${outcome.failed.message}`), edits: [] }
      : { ...resultOf(call), ...outcome };
  }
  return signal.aborted
    ? { ...syntheticResult(call), edits: [] }
    : { ...errorResult(call, 'The user stopped this call. It may have done part of its work.'), edits: [] };
}

async function calledUntil(
  signal: AbortSignal,
  work: () => Promise<CallOutcome>,
): Promise<CallOutcome | 'aborted' | { readonly failed: LoupeError }> {
  try {
    return signal.aborted ? 'aborted' : await raceAbort(work(), signal);
  } catch (thrown) {
    return isAborted(signal) ? 'aborted' : { failed: toLoupeError(thrown) };
  }
}

/** Reads the signal at the time of the call, because it may have aborted since the last check. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

function resultOf(call: ToolCallPart): ToolResultPart {
  return { type: 'toolResult', callId: call.id, name: call.name, content: [], isError: false, synthetic: false };
}

/** Returns the result of a call that had not begun when the turn was stopped. It cannot have had effects. */
function unstartedResult(call: ToolCallPart): ToolResultPart {
  return { ...errorResult(call, 'The tool did not run: the turn was stopped before the call began.'), synthetic: true };
}

/** Returns a result made by Loupe, for a call that will never have a real result. */
export function syntheticResult(call: ToolCallPart): ToolResultPart {
  return { ...errorResult(call, LOST_RESULT), synthetic: true };
}

function errorResult(call: ToolCallPart, text: string): ToolResultPart {
  return { ...resultOf(call), content: [{ type: 'text', text }], isError: true };
}
