import { recordedTurns, turnBand, type RecordedTurn, type StepRates, type TurnBand } from '../../../engine/accounting/turnBand.js';
import { PER_MILLION, ratesOf, type Rates } from '../../../engine/model/price.js';
import type { CacheRules } from '../../../engine/model/cacheRules.js';
import type { Forecast } from '../../../engine/cache/forecast.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import { UntilChange } from '../../../engine/chat/untilChange.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { Request } from '../../../engine/request/request.js';

/** Estimates the cost of the next turn from the turns of the latest chats. */
export class TurnBands {
  /** The turns of each chat, by chat id. */
  readonly #turns = new Map<string, readonly RecordedTurn[]>();
  readonly #recorded = new UntilChange<readonly RecordedTurn[]>();

  /** Finds the turns in the state of a chat, stores them and returns them. */
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
