import { inputTokens, usageOfOneRequest, type Usage } from '../model/usage.js';

/*
 * Counts by another tokenizer than the model's own are off by a factor that is stable for a model and a kind of text. The
 * usage that the provider reports measures this factor.
 */

/** Input tokens of one request: as counted here, uncorrected, and as the provider reported them. */
export interface CalibrationSample {
  readonly counted: number;
  readonly reported: number;
}

export interface Calibration {
  /** Multiply a count by this. */
  readonly factor: number;
  /** Typical relative error of a corrected count: the median over the samples; null for fewer than `FEWEST_FOR_ERROR`. */
  readonly error: number | null;
  /** Number of requests behind the factor. */
  readonly samples: number;
}

export const UNCALIBRATED: Calibration = { factor: 1, error: null, samples: 0 };

/** Number of latest requests behind a factor: enough for a steady median, few enough to follow a change of text. */
export const CALIBRATION_WINDOW = 20;

/** Fewer samples tell nothing about the next one: the median would be that of the best or of the first, uncorrected count. */
const FEWEST_FOR_ERROR = 3;

/**
 * Largest ratio of a usable sample. Tokenizers differ by a factor of about two, or four for scripts that one of them
 * covers badly. A larger ratio means that the server counts something else.
 */
const MOST_RATIO = 5;

/** Less than this share of a count means that the server has cut the request, or counts only uncached tokens. */
const LEAST_RATIO = 0.5;

/** The same figure for a request that is larger by this factor means that the server has cut both. */
const FLAT = 1.1;

/**
 * The calibration from samples in the order of their requests. The factor is the median ratio of the latest
 * `CALIBRATION_WINDOW` samples, so that a few odd requests do not move it. The error is the one that users saw: the error
 * of each of these samples is measured with the factor from the samples before it. Samples with a figure of 0, a ratio
 * beyond `MOST_RATIO`, or a request that the server has cut are ignored.
 */
export function calibrate(samples: readonly CalibrationSample[]): Calibration {
  const flat = flatFigures(samples);
  const sound = samples.filter((sample) => isSound(sample) && !flat.has(sample.reported));
  const errors = sound.map((sample, index) => relativeError(sample, factorOf(sound.slice(0, index))));
  return {
    factor: factorOf(sound),
    error: sound.length < FEWEST_FOR_ERROR ? null : median(errors.slice(-CALIBRATION_WINDOW)),
    samples: Math.min(sound.length, CALIBRATION_WINDOW),
  };
}

/** Input tokens as the provider reported them; null when one of the figures is not reported, or it is a sum of several requests. */
export function reportedInput(usage: Usage): number | null {
  if (usageOfOneRequest(usage) === null) {
    return null;
  }
  const figures = [usage.promptTokens, usage.cacheReadInputTokens, usage.cacheCreationInputTokens];
  return figures.some((figure) => figure?.source === 'estimated') ? null : inputTokens(usage);
}

/** The sample of the latest request, where the server has cut it; null otherwise. */
export function latestCut(samples: readonly CalibrationSample[]): CalibrationSample | null {
  const latest = samples.at(-1);
  return latest !== undefined && (isCut(latest) || flatFigures(samples).has(latest.reported)) ? latest : null;
}

/** Whether a server reported less than half of what was counted. */
export function isCut({ counted, reported }: CalibrationSample): boolean {
  return reported > 0 && reported < counted * LEAST_RATIO;
}

/** Figures that were reported for requests of different sizes. */
function flatFigures(samples: readonly CalibrationSample[]): ReadonlySet<number> {
  const ranges = new Map<number, { least: number; most: number }>();
  for (const { counted, reported } of samples.filter(({ counted: each }) => each > 0)) {
    const range = ranges.get(reported) ?? { least: counted, most: counted };
    ranges.set(reported, { least: Math.min(range.least, counted), most: Math.max(range.most, counted) });
  }
  return new Set([...ranges].filter(([, { least, most }]) => most > least * FLAT).map(([reported]) => reported));
}

/** Whether a sample is usable, looked at alone. */
export function isSound({ counted, reported }: CalibrationSample): boolean {
  const ratio = reported / counted;
  return counted > 0 && reported > 0 && ratio <= MOST_RATIO && !isCut({ counted, reported });
}

function factorOf(samples: readonly CalibrationSample[]): number {
  const latest = samples.slice(-CALIBRATION_WINDOW);
  return latest.length === 0 ? UNCALIBRATED.factor : median(latest.map(({ counted, reported }) => reported / counted));
}

function relativeError({ counted, reported }: CalibrationSample, factor: number): number {
  return Math.abs(counted * factor - reported) / reported;
}

/** NaN for no values. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN;
  return (upper + lower) / 2;
}
