import { inputTokens, type Usage } from '../accounting/usage.js';
import type { AttemptState } from '../chat/fold.js';
import { ROUGH_COUNTER } from './roughCounter.js';

/*
 * Counts by a tokenizer that is not the model's own are off by a factor that is stable for a model and a kind of
 * text. What the provider reports about earlier requests measures it.
 */

/** One request: input tokens as counted here, uncorrected, and as the provider reported them. */
export interface CalibrationSample {
  readonly counted: number;
  readonly reported: number;
}

export interface Calibration {
  /** Multiply a count by this. */
  readonly factor: number;
  /** Typical relative error of a corrected count: the median over the samples; null without any. */
  readonly error: number | null;
  /** How many requests it rests on. */
  readonly samples: number;
}

export const UNCALIBRATED: Calibration = { factor: 1, error: null, samples: 0 };

/** Requests that a factor rests on, the latest: enough for a steady median, few enough to follow a change of text. */
export const CALIBRATION_WINDOW = 20;

/**
 * How far a count may be off. Tokenizers differ by a factor of two or so, with scripts they know badly by four; what
 * is off by more counts something else (a server that reports only what it had not cached).
 */
const MOST_RATIO = 5;

/**
 * What samples in the order of their requests teach. The factor is the median ratio of the latest
 * `CALIBRATION_WINDOW` ones, so that a few odd requests do not move it. The error is measured as a user meets it:
 * each of them is judged by the factor of the samples before it, the very first by none. Samples whose figures are
 * no counts or that differ too much to be counts of the same text teach nothing.
 */
export function calibrate(samples: readonly CalibrationSample[]): Calibration {
  const sound = samples.filter(isSound);
  const errors = sound.map((sample, index) => relativeError(sample, factorOf(sound.slice(0, index))));
  return {
    factor: factorOf(sound),
    error: sound.length === 0 ? null : median(errors.slice(-CALIBRATION_WINDOW)),
    samples: Math.min(sound.length, CALIBRATION_WINDOW),
  };
}

/**
 * The samples of attempts, in the order they ended: of those whose input the provider reported and that were estimated,
 * by a tokenizer.
 */
export function samplesOf(attempts: readonly AttemptState[]): CalibrationSample[] {
  return attempts.flatMap(({ manifest: { size, counter }, end }) => {
    const usage = end?.usage ?? null;
    const reported = usage === null ? null : reportedInput(usage);
    const teaches = size.basis !== 'exact' && counter !== ROUGH_COUNTER.id;
    return reported === null || !teaches ? [] : [{ counted: size.counted, reported }];
  });
}

/** The whole input as the provider reported it; null when a part of it is not reported. */
export function reportedInput(usage: Usage): number | null {
  const figures = [usage.promptTokens, usage.cacheReadInputTokens, usage.cacheCreationInputTokens];
  return figures.some((figure) => figure?.source === 'estimated') ? null : inputTokens(usage);
}

function isSound({ counted, reported }: CalibrationSample): boolean {
  const ratio = reported / counted;
  return counted > 0 && reported > 0 && ratio <= MOST_RATIO && ratio >= 1 / MOST_RATIO;
}

function factorOf(samples: readonly CalibrationSample[]): number {
  const latest = samples.slice(-CALIBRATION_WINDOW);
  return latest.length === 0 ? UNCALIBRATED.factor : median(latest.map(({ counted, reported }) => reported / counted));
}

function relativeError({ counted, reported }: CalibrationSample, factor: number): number {
  return Math.abs(counted * factor - reported) / reported;
}

/** The middle value; the mean of the two in the middle of an even number. NaN of none. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN;
  return (upper + lower) / 2;
}
