import type { ToolCallPart, ToolResultPart } from '../chat/message.js';
import { toLoupeError } from '../errors.js';
import { DEEPEST_JSON } from '../json.js';
import type { Clock } from '../ports.js';
import { LOST_RESULT } from '../request/adaptedParts.js';
import { orAborted } from './abortRace.js';
import type { RunInput, RunStep } from './input.js';
import { withLargeTextsKept } from './largeTexts.js';

export interface ToolRound {
  /** One result for each call, in the order of the calls. */
  readonly results: readonly ToolResultPart[];
  /** Whether any tool started: it may have had side effects. */
  readonly anyStarted: boolean;
}

/**
 * Runs the calls of one reply, one after the other. A call with arguments that are no JSON object, or of an unknown tool,
 * does not run: its result tells the model why. After an abort the open calls get synthetic results. The large texts of
 * the returned results are already stored as blobs.
 */
export async function* runTools(calls: readonly ToolCallPart[], input: RunInput, clock: Clock): AsyncGenerator<RunStep, ToolRound, void> {
  const results: ToolResultPart[] = [];
  let anyStarted = false;
  for (const call of calls) {
    const refusal = refusalOf(call, input);
    if (input.signal.aborted) {
      results.push(syntheticResult(call));
    } else if (refusal !== null) {
      results.push(await withLargeTextsKept(errorResult(call, refusal), input));
    } else {
      anyStarted = true;
      const started = { type: 'tool-started', runId: input.runId, callId: call.id, name: call.name } as const;
      // The side effects of a tool survive a power cut, so the record of its start must, too.
      yield { events: [started], persistence: 'durable' };
      const began = clock.now();
      const result = await withLargeTextsKept(await runTool(call, input), input);
      results.push(result);
      const ended = {
        type: 'tool-ended',
        runId: input.runId,
        callId: call.id,
        result,
        durationMs: clock.now() - began,
        edits: [],
      } as const;
      yield { events: [ended], persistence: 'written' };
    }
  }
  return { results, anyStarted };
}

function refusalOf(call: ToolCallPart, input: RunInput): string | null {
  if (call.args === null) {
    return `The tool did not run: its arguments are not a JSON object with at most ${DEEPEST_JSON} levels. They were: ${call.rawArgs}`;
  }
  return input.tools.has(call.name) ? null : `The tool did not run: there is no tool named ${call.name}.`;
}

/** Runs one tool, unless the run was stopped while the start was logged. */
async function runTool(call: ToolCallPart, input: RunInput): Promise<ToolResultPart> {
  return input.signal.aborted ? syntheticResult(call) : callTool(call, input);
}

/** Calls a tool. An abort ends the wait at once, even if the tool ignores the signal. */
async function callTool(call: ToolCallPart, input: RunInput): Promise<ToolResultPart> {
  const { id: callId, name, args } = call;
  try {
    const outcome = await orAborted(input.tools.call({ callId, name, args: args ?? {} }, input.signal), input.signal);
    return outcome === 'aborted' ? syntheticResult(call) : { ...resultOf(call), ...outcome };
  } catch (thrown) {
    return input.signal.aborted ? syntheticResult(call) : errorResult(call, `The tool failed: ${toLoupeError(thrown).message}`);
  }
}

function resultOf(call: ToolCallPart): ToolResultPart {
  return { type: 'toolResult', callId: call.id, name: call.name, content: [], isError: false, synthetic: false };
}

/** The result of a call that will never have one. */
export function syntheticResult(call: ToolCallPart): ToolResultPart {
  return { ...errorResult(call, LOST_RESULT), synthetic: true };
}

function errorResult(call: ToolCallPart, text: string): ToolResultPart {
  return { ...resultOf(call), content: [{ type: 'text', text }], isError: true };
}
