import type { AttemptState } from './slices/attempts.js';
import type { ErrorRecord } from '../errors.js';
import { ROUGH_COUNTER } from '../tokens/roughCounter.js';
import { CALIBRATION_WINDOW, reportedInput, type CalibrationSample } from '../tokens/calibration.js';

/*
 * What attempts teach about their model: how far counts of requests are off, the input limit that a server named, and
 * the members of a request that it refused. The size of a lesson is bounded, and lessons can be joined in any order.
 */

/** Most samples of a model: each sample of the window, whose error is measured, needs a full window before it. */
const KEPT_SAMPLES = 2 * CALIBRATION_WINDOW;

/**
 * How long a learned limit holds. A server may restart with a larger context window, and only a request over the limit
 * finds that out. One refused request an hour is a small price.
 */
export const LIMIT_HOLDS_MS = 60 * 60_000;

/** A number of tokens that a server reported, and when its request ended, in epoch milliseconds. */
interface Told {
  readonly at: number;
  readonly tokens: number;
}

interface Sample extends CalibrationSample {
  /** Id of the attempt. */
  readonly id: string;
  /** When it ended, in epoch milliseconds. */
  readonly at: number;
}

export interface Lesson {
  /** In the order in which their attempts ended. */
  readonly samples: readonly Sample[];
  /** The input limit that the latest overflow reported; null without one. */
  readonly overflow: Told | null;
  /** Input tokens that the model accepted, as reported. An entry is dropped once a later one is as large or larger. */
  readonly taken: readonly Told[];
  /** Members of a request that the server refused. */
  readonly refused: readonly string[];
}

export const NO_LESSON: Lesson = { samples: [], overflow: null, taken: [], refused: [] };

/** The lesson of one attempt; `NO_LESSON` while it runs. */
export function lessonOf({ id, manifest: { size, counter }, end }: Pick<AttemptState, 'id' | 'manifest' | 'end'>): Lesson {
  if (end === null) {
    return NO_LESSON;
  }
  const { at, usage, error } = end;
  const reported = usage === null ? null : reportedInput(usage);
  const limit = error?.inputLimit ?? null;
  return {
    // The error of characters/4 says nothing about a tokenizer.
    samples:
      reported === null || size.basis === 'exact' || counter === ROUGH_COUNTER.id ? [] : [{ id, at, counted: size.counted, reported }],
    // No server means a limit of 0.
    overflow: limit === null || limit <= 0 ? null : { at, tokens: limit },
    taken: reported === null ? [] : [{ at, tokens: reported }],
    refused: refusedBy(error),
  };
}

function refusedBy(error: ErrorRecord | null): readonly string[] {
  return error?.refusedMember === undefined ? [] : [error.refusedMember];
}

/** Joins two lessons about one model. */
export function joinLessons(a: Lesson, b: Lesson): Lesson {
  return {
    samples: joinSamples(a.samples, b.samples),
    overflow: later(a.overflow, b.overflow),
    taken: b.taken.length === 0 ? a.taken : unexceeded([...a.taken, ...b.taken]),
    refused: b.refused.every((name) => a.refused.includes(name)) ? a.refused : [...new Set([...a.refused, ...b.refused])].toSorted(),
  };
}

function joinSamples(a: readonly Sample[], b: readonly Sample[]): readonly Sample[] {
  const [last, first] = [a.at(-1), b[0]];
  if (last === undefined || first === undefined || last.at < first.at) {
    // The usual case: attempts of a chat end in the order in which they are added.
    return [...a, ...b].slice(-KEPT_SAMPLES);
  }
  const samples = [...new Map([...a, ...b].map((sample) => [sample.id, sample])).values()];
  return samples.toSorted((x, y) => (x.at === y.at ? (x.id < y.id ? -1 : 1) : x.at - y.at)).slice(-KEPT_SAMPLES);
}

/**
 * The input limit in tokens that the latest overflow reported. Null when that is older than `LIMIT_HOLDS_MS`, or when the
 * model later accepted more: then the limit has risen.
 */
export function learnedLimit({ overflow, taken }: Lesson, now: number): number | null {
  if (overflow === null || now - overflow.at > LIMIT_HOLDS_MS) {
    return null;
  }
  return taken.some(({ at, tokens }) => at > overflow.at && tokens > overflow.tokens) ? null : overflow.tokens;
}

/** The later one; at the same time the smaller one, because neither limit may be exceeded. */
function later(a: Told | null, b: Told | null): Told | null {
  if (a === null || b === null) {
    return a ?? b;
  }
  return a.at > b.at || (a.at === b.at && a.tokens <= b.tokens) ? a : b;
}

function unexceeded(all: readonly Told[]): readonly Told[] {
  const latestFirst = all.toSorted((a, b) => (a.at === b.at ? b.tokens - a.tokens : b.at - a.at));
  let most = 0;
  const kept = latestFirst.filter(({ tokens }) => {
    const isMore = tokens > most;
    most = Math.max(most, tokens);
    return isMore;
  });
  return kept.reverse();
}
