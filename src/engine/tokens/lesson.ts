import type { AttemptState } from '../chat/slices/attempts.js';
import { ROUGH_COUNTER } from './roughCounter.js';
import { CALIBRATION_WINDOW, reportedInput, type CalibrationSample } from './calibration.js';

/*
 * What attempts teach about their model: how far counts of requests are off, and the real input limit where a server
 * named it. Lessons are small however many attempts there were, and the order in which attempts are taken in does not
 * matter.
 */

/** Attempts kept of each model: a full window before each of those whose error is measured. */
const KEPT_SAMPLES = 2 * CALIBRATION_WINDOW;

/**
 * How long a learned limit holds: a server may be started anew with a larger window, and only a request that goes
 * beyond the limit can find that out. One refusal an hour is little to pay for it.
 */
export const LIMIT_HOLDS_MS = 60 * 60_000;

/** A number of tokens, and when the request ended that told it. */
interface Told {
  readonly at: number;
  readonly tokens: number;
}

interface Sample extends CalibrationSample {
  /** Of the attempt. */
  readonly id: string;
  /** When it ended, in epoch milliseconds. */
  readonly at: number;
}

export interface Lesson {
  /** In the order in which they ended. */
  readonly samples: readonly Sample[];
  /** The input limit that the latest overflow told. */
  readonly overflow: Told | null;
  /** Inputs that the model took, as its provider reported them; only those that none at least as late exceeds. */
  readonly taken: readonly Told[];
}

export const NO_LESSON: Lesson = { samples: [], overflow: null, taken: [] };

/** What an attempt that has ended teaches. */
export function lessonOf({ id, manifest: { size, counter }, end }: Pick<AttemptState, 'id' | 'manifest' | 'end'>): Lesson {
  if (end === null) {
    return NO_LESSON;
  }
  const { at, usage, error } = end;
  const reported = usage === null ? null : reportedInput(usage);
  const limit = error?.inputLimit ?? null;
  return {
    // What is off in characters/4 tells nothing about a tokenizer.
    samples:
      reported === null || size.basis === 'exact' || counter === ROUGH_COUNTER.id ? [] : [{ id, at, counted: size.counted, reported }],
    // A limit of no token at all is no limit that a server means.
    overflow: limit === null || limit <= 0 ? null : { at, tokens: limit },
    taken: reported === null ? [] : [{ at, tokens: reported }],
  };
}

/** Both lessons about one model. */
export function joinLessons(a: Lesson, b: Lesson): Lesson {
  return {
    samples: joinSamples(a.samples, b.samples),
    overflow: later(a.overflow, b.overflow),
    taken: b.taken.length === 0 ? a.taken : unexceeded([...a.taken, ...b.taken]),
  };
}

function joinSamples(a: readonly Sample[], b: readonly Sample[]): readonly Sample[] {
  const [last, first] = [a.at(-1), b[0]];
  if (last === undefined || first === undefined || last.at < first.at) {
    // Mostly so: each attempt ends after those before it, and all of a chat are taken in when that is read.
    return [...a, ...b].slice(-KEPT_SAMPLES);
  }
  const samples = [...new Map([...a, ...b].map((sample) => [sample.id, sample])).values()];
  return samples.toSorted((x, y) => (x.at === y.at ? (x.id < y.id ? -1 : 1) : x.at - y.at)).slice(-KEPT_SAMPLES);
}

/**
 * The input limit in tokens that the latest overflow told; null when none did lately, or when a later request was taken
 * with more: then the limit has risen.
 */
export function learnedLimit({ overflow, taken }: Lesson, now: number): number | null {
  if (overflow === null || now - overflow.at > LIMIT_HOLDS_MS) {
    return null;
  }
  return taken.some(({ at, tokens }) => at > overflow.at && tokens > overflow.tokens) ? null : overflow.tokens;
}

/** Of two at the same time the smaller one: it is the one that must not be exceeded. */
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
