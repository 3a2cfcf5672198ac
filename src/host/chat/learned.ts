import { modelKey, type ModelRef } from '../../engine/chat/config.js';
import type { AttemptState } from '../../engine/chat/fold.js';
import type { Clock } from '../../engine/ports.js';
import type { Model } from '../../engine/run/model.js';
import {
  calibrate,
  CALIBRATION_WINDOW,
  reportedInput,
  samplesOf,
  UNCALIBRATED,
  type Calibration,
} from '../../engine/tokens/calibration.js';

/** Attempts kept of each model: a full window before each of those whose error is measured. */
const KEPT_ATTEMPTS = 2 * CALIBRATION_WINDOW;

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

interface Lesson {
  /** By id, in the order in which they ended. */
  readonly samples: readonly AttemptState[];
  /** The input limit that the latest overflow told. */
  readonly overflow: Told | null;
  /** Inputs that the model took, as its provider reported them; only those that none at least as late exceeds. */
  readonly taken: readonly Told[];
  readonly calibration: Calibration;
}

const NOTHING: Lesson = { samples: [], overflow: null, taken: [], calibration: UNCALIBRATED };

/**
 * What the attempts of the chats opened in this window tell about their models, over all chats: how far counts are
 * off, and the real input limit where a server named it. Nothing of it is stored: it is learned anew from the logs.
 */
export class Learned {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #lessons = new Map<string, Lesson>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Learns from attempts, those that ended; known ones teach nothing new. */
  take(attempts: Iterable<AttemptState>): void {
    for (const attempt of attempts) {
      this.#takeSample(attempt);
      this.#takeOverflow(attempt);
      this.#takeInput(attempt);
    }
  }

  calibration(ref: ModelRef): Calibration {
    return this.#lesson(ref).calibration;
  }

  /**
   * The input limit in tokens that the latest overflow of this model told; null when none did lately, or when a later
   * request was taken with more: then the limit has risen.
   */
  inputLimit(ref: ModelRef): number | null {
    const { overflow, taken } = this.#lesson(ref);
    if (overflow === null || this.#clock.now() - overflow.at > LIMIT_HOLDS_MS) {
      return null;
    }
    return taken.some(({ at, tokens }) => at > overflow.at && tokens > overflow.tokens) ? null : overflow.tokens;
  }

  /** The model with the input limit that it really has. */
  withLimit(model: Model): Model {
    const limit = this.inputLimit(model.ref);
    return limit === null || (model.maxInputTokens !== null && model.maxInputTokens <= limit) ? model : { ...model, maxInputTokens: limit };
  }

  #takeSample(attempt: AttemptState): void {
    const { samples, ...lesson } = this.#lesson(attempt.model);
    if (samplesOf([attempt]).length === 0 || samples.some(({ id }) => id === attempt.id)) {
      return;
    }
    const kept = [...samples, attempt].toSorted((a, b) => endOf(a) - endOf(b)).slice(-KEPT_ATTEMPTS);
    this.#lessons.set(modelKey(attempt.model), { ...lesson, samples: kept, calibration: calibrate(samplesOf(kept)) });
  }

  #takeOverflow(attempt: AttemptState): void {
    const limit = attempt.end?.error?.inputLimit ?? null;
    const lesson = this.#lesson(attempt.model);
    const at = endOf(attempt);
    // A limit of no token at all is no limit that a server means.
    if (limit !== null && limit > 0 && at >= (lesson.overflow?.at ?? 0)) {
      this.#lessons.set(modelKey(attempt.model), { ...lesson, overflow: { at, tokens: limit } });
    }
  }

  #takeInput({ model, end }: AttemptState): void {
    const usage = end?.usage ?? null;
    const tokens = usage === null ? null : reportedInput(usage);
    if (end === null || tokens === null) {
      return;
    }
    const { taken, ...lesson } = this.#lesson(model);
    const others = taken.filter((other) => other.at > end.at || other.tokens > tokens);
    const isExceeded = others.some((other) => other.at >= end.at && other.tokens >= tokens);
    this.#lessons.set(modelKey(model), { ...lesson, taken: isExceeded ? others : [...others, { at: end.at, tokens }] });
  }

  #lesson(ref: ModelRef): Lesson {
    return this.#lessons.get(modelKey(ref)) ?? NOTHING;
  }
}

function endOf({ end }: AttemptState): number {
  return end?.at ?? 0;
}
