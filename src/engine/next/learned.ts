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
import { type RecordedTurn, type StepRates, type TurnBand, recordedTurns, turnBand } from '../accounting/turnBand.js';
import { PER_MILLION, type Rates, ratesOf } from '../model/price.js';
import type { CacheRules } from '../model/cacheRules.js';
import type { Forecast } from '../cache/forecast.js';
import { UntilChange } from '../chat/untilChange.js';

/** Estimates the cost of the next turn from the turns of the latest chats. */
class TurnBands {
  /** The turns of each chat, by chat id. */
  readonly #turns = new Map<string, readonly RecordedTurn[]>();
  readonly #recorded = new UntilChange<readonly RecordedTurn[]>();

  /** Finds, stores and returns the turns in the state of a chat. */
  take(state: Pick<ChatState, 'chatId' | 'attempts' | 'runs'>): readonly RecordedTurn[] {
    const turns = this.#recorded.of(state, () => recordedTurns(state));
    this.#turns.set(state.chatId, turns);
    return turns;
  }

  /** Returns the expected cost of this request's turn. Null without prices, a forecast or enough known turns. */
  of(
    { model, size }: Pick<Request, 'model' | 'size'>,
    forecast: Forecast | null,
    state: Pick<ChatState, 'chatId' | 'config' | 'attempts' | 'runs'>,
  ): TurnBand | null {
    const own = this.take(state);
    const inputCost = forecast?.costNow ?? null;
    if (inputCost === null || model.prices === null) {
      return null;
    }
    const key = modelKey(model.ref);
    const others = [...this.#turns].filter(([chatId]) => chatId !== state.chatId).flatMap(([, turns]) => turns);
    const ofModel = others.filter((turn) => turn.model === key);
    const rates = stepRates(model.capabilities.cache, state.config, ratesOf(model.prices, size.tokens));
    return turnBand(own, ofModel, { input: size.tokens, inputCost }, rates);
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

/**
 * What Loupe learned about models from open and recent chats: the error of token counts, the real input limit, rejected
 * parameters and tools, the likely cache content, the cost of turns. Not stored, because Loupe learns it again from the
 * logs.
 */
export class ModelLearning {
  readonly #clock: Pick<Clock, 'now'>;
  readonly caches = new ExpectedCaches();
  readonly turns = new TurnBands();
  /** Models whose provider charged a keep-warm request without reading its cache, by model key. */
  readonly notKeptWarm = new Set<string>();
  /** Lessons from each chat about each model: by chat id, then by model key. */
  readonly #chats = new Map<string, ReadonlyMap<string, Lesson>>();
  /** Recent closed chats. Forecasts for a model also use their requests. */
  readonly #remembered: ChatState[] = [];
  /** Lessons from all chats together, by model key. Cleared after a new lesson. */
  readonly #joined = new Map<string, ModelLesson>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  take(chatId: string, lessons: ReadonlyMap<string, Lesson>): void {
    this.#chats.set(chatId, lessons);
    this.#joined.clear();
  }

  /** Learns from a closed chat. Ignores an open chat, whose state is newer. */
  remember(state: ChatState): void {
    if (!this.#chats.has(state.chatId)) {
      this.take(state.chatId, state.lessons);
      this.turns.take(state);
      this.#remembered.push(state);
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

  /** Returns the cache forecast for a request and, if the request offers tools, the expected cost of its turn. */
  expected(
    request: Pick<Request, 'prompt' | 'size' | 'model'>,
    state: ChatState,
    hasTools: boolean,
  ): Pick<ComposedRequest, 'forecast' | 'turn'> {
    const now = this.#clock.now();
    for (const chat of this.#remembered) {
      this.caches.takeNote(request.model, chat);
    }
    const forecast = this.caches.forecast(request, state, now);
    const turn = this.turns.of(request, forecast, state);
    return { forecast, turn: hasTools ? turn : null };
  }

  /** Returns the model with the learned input limit, and without the parameters and tools that its server rejects. */
  taught(model: Model): Model {
    const limit = this.inputLimit(model.ref);
    const isLower = limit !== null && (model.maxInputTokens === null || model.maxInputTokens > limit);
    const limited = isLower ? { ...model, maxInputTokens: limit } : model;
    const { lesson } = this.#of(model.ref);
    const tools = learnedRefusals(lesson, this.#clock.now());
    const accepted = lesson.refused.length === 0 ? limited : { ...limited, refusedMembers: lesson.refused };
    return tools.length === 0 ? accepted : { ...accepted, refusedTools: tools };
  }

  #of(ref: ModelRef): ModelLesson {
    const key = modelKey(ref);
    const known = this.#joined.get(key);
    if (known !== undefined) {
      return known;
    }
    const lesson = [...this.#chats.values()].map((lessons) => lessons.get(key) ?? NO_LESSON).reduce(joinLessons, NO_LESSON);
    const joined = { lesson, calibration: calibrate(lesson.samples) };
    this.#joined.set(key, joined);
    return joined;
  }
}
