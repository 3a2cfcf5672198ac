import { inputTokens, usageOfOneRequest, type Usage } from '../model/usage.js';

/*
 * A tokenizer other than the tokenizer of the model counts wrong by a factor. The factor is stable for a model and a
 * kind of text. Loupe measures it from the usage that the provider reports.
 */

/** Input tokens of one request: Loupe's uncorrected count, and the figure that the provider reported. */
export interface CalibrationSample {
  readonly counted: number;
  readonly reported: number;
}

export interface Calibration {
  /** The factor by which to multiply Loupe's counts. */
  readonly factor: number;
  /** Typical relative error of a corrected count: the median. Null below `FEWEST_FOR_ERROR` samples. */
  readonly error: number | null;
  /** Number of samples from which the factor was computed. */
  readonly samples: number;
}

export const UNCALIBRATED: Calibration = { factor: 1, error: null, samples: 0 };

/** Number of latest samples for a factor: enough for a stable median, few enough to follow a change of text. */
export const CALIBRATION_WINDOW = 20;

/** Minimum samples for an error. Fewer samples would mostly show the error of the first, uncorrected count. */
const FEWEST_FOR_ERROR = 3;

/**
 * Maximum ratio of reported to counted tokens in a usable sample. Tokenizers differ by a factor of about two, or four
 * for scripts that one tokenizer covers badly. With a larger ratio, the server counts something else.
 */
const MOST_RATIO = 5;

/** If the server reports less than this share of Loupe's count, it cut the request or reports only uncached tokens. */
const LEAST_RATIO = 0.5;

/** If two requests differ in size by this factor but the server reports the same figure, it has cut both requests. */
const FLAT = 1.1;

/**
 * Returns the calibration from samples in the order of their requests. The factor is the median ratio of the latest
 * `CALIBRATION_WINDOW` samples, so that a few unusual requests do not change it. The error is the error that users saw:
 * each sample is compared with the factor of the samples before it. Samples with a figure of 0, a ratio beyond
 * `MOST_RATIO` or a cut request are ignored.
 */
export function calibrate(samples: readonly CalibrationSample[]): Calibration {
  const flat = flatFigures(samples);
  const sound = samples.filter((sample) => isSound(sample) && !flat.has(sample.reported));
  const errors = sound.map(({ counted, reported }, index) => Math.abs(counted * factorOf(sound.slice(0, index)) - reported) / reported);
  return {
    factor: factorOf(sound),
    error: sound.length < FEWEST_FOR_ERROR ? null : median(errors.slice(-CALIBRATION_WINDOW)),
    samples: Math.min(sound.length, CALIBRATION_WINDOW),
  };
}

/** Returns the reported input tokens, or null for an estimated figure or a sum of several requests. */
export function reportedInput(usage: Usage): number | null {
  if (usageOfOneRequest(usage) === null) {
    return null;
  }
  const figures = [usage.promptTokens, usage.cacheReadInputTokens, usage.cacheCreationInputTokens];
  return figures.some((figure) => figure?.source === 'estimated') ? null : inputTokens(usage);
}

/** Returns the sample of the latest request if the server has cut it, or null. */
export function latestCut(samples: readonly CalibrationSample[]): CalibrationSample | null {
  const latest = samples.at(-1);
  return latest !== undefined && (isCut(latest) || flatFigures(samples).has(latest.reported)) ? latest : null;
}

export function isCut({ counted, reported }: CalibrationSample): boolean {
  return reported > 0 && reported < counted * LEAST_RATIO;
}

/** Returns the figures that the server reported for several requests of different sizes. */
function flatFigures(samples: readonly CalibrationSample[]): ReadonlySet<number> {
  const ranges = new Map<number, { least: number; most: number }>();
  for (const { counted, reported } of samples.filter(({ counted: each }) => each > 0)) {
    const range = ranges.get(reported) ?? { least: counted, most: counted };
    ranges.set(reported, { least: Math.min(range.least, counted), most: Math.max(range.most, counted) });
  }
  return new Set([...ranges].filter(([, { least, most }]) => most > least * FLAT).map(([reported]) => reported));
}

/** Whether a sample is usable, without a comparison with other samples. */
export function isSound({ counted, reported }: CalibrationSample): boolean {
  const ratio = reported / counted;
  return counted > 0 && reported > 0 && ratio <= MOST_RATIO && !isCut({ counted, reported });
}

function factorOf(samples: readonly CalibrationSample[]): number {
  const latest = samples.slice(-CALIBRATION_WINDOW);
  return latest.length === 0 ? UNCALIBRATED.factor : median(latest.map(({ counted, reported }) => reported / counted));
}

/** Returns NaN for an empty list. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN;
  return (upper + lower) / 2;
}
