import { modelKey, type ModelRef } from '../../../engine/model/modelRef.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { Clock } from '../../../engine/ports.js';
import type { Request } from '../../../engine/request/request.js';
import type { Model } from '../../../engine/model/model.js';
import { calibrate, type Calibration } from '../../../engine/tokens/calibration.js';
import type { ComposedRequest } from '../composed.js';
import { ExpectedCaches } from '../forecast/expectedCaches.js';
import { TurnBands } from '../forecast/turnBands.js';
import { joinLessons, learnedLimit, NO_LESSON, type Lesson } from '../../../engine/chat/lesson.js';

interface ModelLesson {
  readonly lesson: Lesson;
  readonly calibration: Calibration;
}

/**
 * What Loupe learned about models from open and recent chats: the error of token counts, the real input limit, rejected
 * parameters, the likely cache content and the cost of turns. Not stored, because the logs teach it again.
 */
export class ModelLearning {
  readonly #clock: Pick<Clock, 'now'>;
  readonly caches = new ExpectedCaches();
  readonly turns = new TurnBands();
  /** What each chat taught about each model: by chat id, then by model key. */
  readonly #chats = new Map<string, ReadonlyMap<string, Lesson>>();
  /** Recent closed chats. Their requests are used in the cache forecasts of the same models. */
  readonly #remembered: ChatState[] = [];
  /** What all chats together taught, by model key. Cleared when a chat teaches something new. */
  readonly #joined = new Map<string, ModelLesson>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  take(chatId: string, lessons: ReadonlyMap<string, Lesson>): void {
    this.#chats.set(chatId, lessons);
    this.#joined.clear();
  }

  /** Learns from a closed chat. Does nothing for an open chat, whose own state is newer. */
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
      this.caches.takeNote(request.model, chat, now);
    }
    const forecast = this.caches.forecast(request, state, now);
    const turn = this.turns.of(request, forecast, state);
    return { forecast, turn: hasTools ? turn : null };
  }

  /** Returns the model with the learned input limit, and without the parameters that its server rejects. */
  taught(model: Model): Model {
    const limit = this.inputLimit(model.ref);
    const isLower = limit !== null && (model.maxInputTokens === null || model.maxInputTokens > limit);
    const limited = isLower ? { ...model, maxInputTokens: limit } : model;
    const { refused } = this.#of(model.ref).lesson;
    return refused.length === 0 ? limited : { ...limited, refusedMembers: refused };
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
