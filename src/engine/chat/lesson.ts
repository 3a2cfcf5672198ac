import type { AttemptState } from './slices/attempts.js';
import type { ErrorRecord } from '../errors.js';
import { ROUGH_COUNTER } from '../tokens/roughCounter.js';
import { ownToolName, type ToolNames } from '../record/toolNames.js';
import { CALIBRATION_WINDOW, reportedInput, type CalibrationSample } from '../tokens/calibration.js';

/*
 * What Loupe learns about a model from its attempts: the error of token counts, the input limit that a server reported,
 * and the request members and tools that the server refused. A lesson has a bounded size, and lessons can be joined in
 * any order.
 */

/** Maximum samples per model: two windows, because the errors in the latest window also use the window before it. */
const KEPT_SAMPLES = 2 * CALIBRATION_WINDOW;

/**
 * How long a learned limit and a refused tool are valid. A server may restart with a larger context window, and a tool
 * may get another schema; only a request shows this. One refused request per hour is acceptable.
 */
export const LESSON_HOLDS_MS = 60 * 60_000;

/** Maximum refused tools per model. More than any provider accepts in a request. */
const KEPT_TOOLS = 256;

/** A number of tokens that a server reported for a request, and when the request ended, in epoch milliseconds. */
interface ReportedTokens {
  readonly at: number;
  readonly tokens: number;
}

interface Sample extends CalibrationSample {
  /** Id of the attempt. */
  readonly id: string;
  /** When the attempt ended, in epoch milliseconds. */
  readonly at: number;
}

export interface Lesson {
  /** Samples in the order in which their attempts ended. */
  readonly samples: readonly Sample[];
  readonly overflow: ReportedTokens | null;
  /** Input tokens of requests that the model accepted. A later entry removes earlier entries that are not larger. */
  readonly taken: readonly ReportedTokens[];
  readonly refused: readonly string[];
  /** The tools that the server refused, each once, by name. */
  readonly refusedTools: readonly RefusedTool[];
}

/** A tool by its name in Loupe, and when the server last refused it, in epoch milliseconds. */
interface RefusedTool {
  readonly name: string;
  readonly at: number;
}

export const NO_LESSON: Lesson = { samples: [], overflow: null, taken: [], refused: [], refusedTools: [] };

/** Returns what Loupe learns from one attempt. `NO_LESSON` while the attempt runs. */
export function lessonOf({ id, manifest: { size, counter, toolNames }, end }: Pick<AttemptState, 'id' | 'manifest' | 'end'>): Lesson {
  if (end === null) {
    return NO_LESSON;
  }
  const { at, usage, error } = end;
  const reported = usage === null ? null : reportedInput(usage);
  const limit = error?.inputLimit ?? null;
  return {
    // A rough count (characters / 4) is no sample, because it does not depend on the tokenizer.
    samples:
      reported === null || size.basis === 'exact' || counter === ROUGH_COUNTER.id ? [] : [{ id, at, counted: size.counted, reported }],
    // A reported limit of 0 is invalid.
    overflow: limit === null || limit <= 0 ? null : { at, tokens: limit },
    taken: reported === null ? [] : [{ at, tokens: reported }],
    refused: refusedBy(error),
    refusedTools: refusedToolBy(error, toolNames).map((name) => ({ name, at })),
  };
}

function refusedBy(error: ErrorRecord | null): readonly string[] {
  return error?.refusedMember === undefined ? [] : [error.refusedMember];
}

function refusedToolBy(error: ErrorRecord | null, names: ToolNames): readonly string[] {
  return error?.refusedTool === undefined ? [] : [ownToolName(error.refusedTool, names)];
}

export function joinLessons(a: Lesson, b: Lesson): Lesson {
  return {
    samples: joinSamples(a.samples, b.samples),
    overflow: later(a.overflow, b.overflow),
    taken: b.taken.length === 0 ? a.taken : unexceeded([...a.taken, ...b.taken]),
    refused: b.refused.every((name) => a.refused.includes(name)) ? a.refused : [...new Set([...a.refused, ...b.refused])].toSorted(),
    refusedTools: b.refusedTools.length === 0 ? a.refusedTools : joinRefusedTools(a.refusedTools, b.refusedTools),
  };
}

function joinSamples(a: readonly Sample[], b: readonly Sample[]): readonly Sample[] {
  const [last, first] = [a.at(-1), b[0]];
  if (last === undefined || first === undefined || last.at < first.at) {
    // The usual case, without sorting: attempts are added in the order in which they ended.
    return [...a, ...b].slice(-KEPT_SAMPLES);
  }
  const samples = [...new Map([...a, ...b].map((sample) => [sample.id, sample])).values()];
  return samples.toSorted((x, y) => (x.at === y.at ? (x.id < y.id ? -1 : 1) : x.at - y.at)).slice(-KEPT_SAMPLES);
}

function joinRefusedTools(a: readonly RefusedTool[], b: readonly RefusedTool[]): readonly RefusedTool[] {
  const latestFirst = [...a, ...b].toSorted((x, y) => (x.at === y.at ? (x.name < y.name ? -1 : 1) : y.at - x.at));
  const once = latestFirst.filter(({ name }, at) => latestFirst.findIndex((each) => each.name === name) === at);
  return once.slice(0, KEPT_TOOLS);
}

/** Returns the names of the tools that the server refused within the last hour. */
export function learnedRefusals({ refusedTools }: Lesson, now: number): readonly string[] {
  return refusedTools.filter(({ at }) => now - at <= LESSON_HOLDS_MS).map(({ name }) => name);
}

/**
 * Returns the input limit of the latest overflow. Null if that is too old, or if the model later accepted more tokens.
 */
export function learnedLimit({ overflow, taken }: Lesson, now: number): number | null {
  if (overflow === null || now - overflow.at > LESSON_HOLDS_MS) {
    return null;
  }
  return taken.some(({ at, tokens }) => at > overflow.at && tokens > overflow.tokens) ? null : overflow.tokens;
}

/** Returns the later report. Of two reports with the same time, the smaller number is used, to be safe. */
function later(a: ReportedTokens | null, b: ReportedTokens | null): ReportedTokens | null {
  if (a === null || b === null) {
    return a ?? b;
  }
  return a.at > b.at || (a.at === b.at && a.tokens <= b.tokens) ? a : b;
}

function unexceeded(all: readonly ReportedTokens[]): readonly ReportedTokens[] {
  const latestFirst = all.toSorted((a, b) => (a.at === b.at ? b.tokens - a.tokens : b.at - a.at));
  let most = 0;
  const kept = latestFirst.filter(({ tokens }) => {
    const isMore = tokens > most;
    most = Math.max(most, tokens);
    return isMore;
  });
  return kept.reverse();
}
