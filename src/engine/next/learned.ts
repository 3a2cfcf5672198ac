import { type ModelRef, modelKey } from '../model/modelRef.js';
import type { ChatState } from '../chat/state.js';
import type { Clock } from '../ports.js';
import type { Request } from '../request/request.js';
import type { Model } from '../model/model.js';
import { type Calibration, calibrate, UNCALIBRATED } from '../tokens/calibration.js';
import { ROUGH_COUNTER } from '../tokens/roughCounter.js';
import type { ComposedRequest } from './compose.js';
import { ExpectedCaches } from '../cacheMonitor/expectedCaches.js';
import { type Lesson, NO_LESSON, joinLessons, learnedLimit, learnedRefusals } from '../chat/lesson.js';
import { type RecordedTurn, type StepRates, type TurnBand, latestTurns, recordedTurns, turnBand } from '../accounting/turnBand.js';
import { PER_MILLION, type Rates, ratesOf } from '../model/price.js';
import type { CacheRules } from '../model/cacheRules.js';
import type { Forecast } from '../cache/forecast.js';
import { UntilChange } from '../chat/untilChange.js';
import type { LearnedChat } from './learnedChat.js';

/** Estimates the cost of the next turn from the latest turns of all chats. */
class TurnBands {
  /** The latest turns, by model key. */
  readonly #latest = new Map<string, readonly RecordedTurn[]>();
  readonly #recorded = new UntilChange<readonly RecordedTurn[]>();

  add(turns: readonly RecordedTurn[]): void {
    for (const model of new Set(turns.map((turn) => turn.model))) {
      const added = turns.filter((turn) => turn.model === model);
      this.#latest.set(model, latestTurns(this.#latest.get(model) ?? [], added));
    }
  }

  /** Finds, adds and returns the turns of a chat. */
  take(state: Pick<ChatState, 'attempts' | 'runs'>): readonly RecordedTurn[] {
    return this.#recorded.of(state, () => {
      const turns = recordedTurns(state);
      this.add(turns);
      return turns;
    });
  }

  /** Returns the expected cost of this request's turn. Null without prices, a forecast or enough known turns. */
  of(
    { model, size }: Pick<Request, 'model' | 'size'>,
    forecast: Forecast | null,
    state: Pick<ChatState, 'config' | 'attempts' | 'runs'>,
  ): TurnBand | null {
    const own = this.take(state);
    const inputCost = forecast?.costNow ?? null;
    if (inputCost === null || model.prices === null) {
      return null;
    }
    const others = (this.#latest.get(modelKey(model.ref)) ?? []).filter(({ id }) => !state.runs.has(id));
    const rates = stepRates(model.capabilities.cache, state.config, ratesOf(model.prices, size.tokens));
    return turnBand(own, others, { input: size.tokens, inputCost }, rates);
  }
}

/** Returns the prices of tokens in a step. With a cache, content from the step before is read from the cache. */
function stepRates({ kind }: CacheRules, { cacheMode }: Pick<ChatState['config'], 'cacheMode'>, rates: Rates): StepRates {
  const isCached = kind === 'marks' ? cacheMode === 'cached' : kind !== 'none';
  const added = isCached && kind === 'marks' ? rates.cacheWrite5m : rates.input;
  const before = isCached ? rates.cacheRead : rates.input;
  return { before: before / PER_MILLION, added: added / PER_MILLION, output: rates.output / PER_MILLION };
}

interface ModelLesson {
  readonly lesson: Lesson;
  readonly calibration: Calibration;
}

const NOTHING: ModelLesson = { lesson: NO_LESSON, calibration: UNCALIBRATED };

/**
 * What Loupe learned about models from all chats: the error of token counts, the real input limit, rejected parameters
 * and tools, the likely cache content, the cost of turns. Loupe learns it again from the chats after a restart.
 */
export class ModelLearning {
  readonly #clock: Pick<Clock, 'now'>;
  readonly caches = new ExpectedCaches();
  readonly turns = new TurnBands();
  /** Models whose provider charged a keep-warm request without reading its cache, by model key. */
  readonly notKeptWarm = new Set<string>();
  /** Lessons from all chats together, by model key. */
  readonly #lessons = new Map<string, ModelLesson>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Adds the lessons of a chat, by model key. Lessons that are known already change nothing. */
  take(lessons: Iterable<readonly [model: string, Lesson]>): void {
    for (const [model, added] of lessons) {
      const lesson = joinLessons(this.#lessons.get(model)?.lesson ?? NO_LESSON, added);
      this.#lessons.set(model, { lesson, calibration: calibrate(lesson.samples) });
    }
  }

  /** Learns from a closed chat, at any time and in any order. What is known already changes nothing. */
  remember({ lessons, turns, requests }: LearnedChat): void {
    this.take(lessons);
    this.turns.add(turns);
    for (const [model, sent] of requests) {
      this.caches.remember(model, sent);
    }
  }

  calibration(ref: ModelRef): Calibration {
    return this.#of(ref).calibration;
  }

  /** Returns the correction of estimated counts. Corrects neither exact counts nor counts of the rough counter. */
  correction({ ref, capabilities: { counter, counterIsExact } }: Pick<Model, 'ref' | 'capabilities'>): Calibration {
    return counterIsExact || counter === ROUGH_COUNTER.id ? UNCALIBRATED : this.calibration(ref);
  }

  /** Returns the input limit that a rejected request revealed. See `learnedLimit`. */
  inputLimit(ref: ModelRef): number | null {
    return learnedLimit(this.#of(ref).lesson, this.#clock.now());
  }

  /** Returns the cache forecast for a request, or null when the cache behavior is unknown. */
  forecast(request: Pick<Request, 'prompt' | 'size' | 'model'>, state: Pick<ChatState, 'chatId' | 'attempts'>): Forecast | null {
    return this.caches.forecast(request, state, this.#clock.now());
  }

  /** Returns the cache forecast for a request and, if the request offers tools, the expected cost of its turn. */
  expected(
    request: Pick<Request, 'prompt' | 'size' | 'model'>,
    state: ChatState,
    hasTools: boolean,
  ): Pick<ComposedRequest, 'forecast' | 'turn'> {
    const forecast = this.forecast(request, state);
    // Other chats need the turns of this chat even if the request offers no tools.
    this.turns.take(state);
    return { forecast, turn: hasTools ? this.turns.of(request, forecast, state) : null };
  }

  /** Returns the model with the learned input limit, and without the parameters and tools that its server rejects. */
  taught(model: Model): Model {
    const { lesson } = this.#of(model.ref);
    const limit = learnedLimit(lesson, this.#clock.now());
    const isLower = limit !== null && (model.maxInputTokens === null || model.maxInputTokens > limit);
    const limited = isLower ? { ...model, maxInputTokens: limit } : model;
    const tools = learnedRefusals(lesson, this.#clock.now());
    const accepted = lesson.refused.length === 0 ? limited : { ...limited, refusedMembers: lesson.refused };
    return tools.length === 0 ? accepted : { ...accepted, refusedTools: tools };
  }

  #of(ref: ModelRef): ModelLesson {
    return this.#lessons.get(modelKey(ref)) ?? NOTHING;
  }
}
