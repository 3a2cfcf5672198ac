import type { Model } from '../../../engine/model/model.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import { type Provider, chatModels } from '../registry.js';
import { limitsText } from '../modelTexts.js';
import { PER_MILLION, ratesOf } from '../../../engine/model/price.js';
import { counted } from '../../../protocol/numbers.js';
import { type ExpectedPrice, requestPriceText, requestPriceWords } from '../../../protocol/requestPrice.js';

export type MenuLine =
  | { readonly type: 'provider'; readonly label: string }
  | {
      readonly type: 'model';
      readonly label: string;
      /** Context window and price. VS Code cuts this line, so that marks and rate limits are in the next line. */
      readonly description: string;
      /** Marks, rate limit, and the additional cost of switching to this model. Null without any. */
      readonly detail: string | null;
      readonly model: Model;
      readonly isInUse: boolean;
      readonly isDefault: boolean;
    }
  | { readonly type: 'add'; readonly label: string };

export interface ModelsInUse {
  readonly here: string;
  readonly inNewChats: string;
  /** The rate limits reported by providers, in words, by model key. */
  readonly limits: ReadonlyMap<string, string>;
  /** Forecast of the next request with the chat's current model. Null when unknown. */
  readonly staying: StayingForecast | null;
}

/** Lists the models by provider, with context window, price and limits. Omits providers without chat models. */
export function modelMenu(providers: readonly Provider[], { here, inNewChats, limits, staying }: ModelsInUse): MenuLine[] {
  const lines = providers
    .filter((provider) => chatModels(provider).length > 0)
    .flatMap((provider): MenuLine[] => [
      { type: 'provider', label: provider.label },
      ...chatModels(provider).map((model): MenuLine => {
        const key = modelKey(model.ref);
        const isInUse = key === here;
        const isDefault = key === inNewChats;
        const switching = isInUse || staying === null ? null : switchingText(staying, model);
        const details = [isInUse ? 'in use' : null, isDefault ? 'default for new chats' : null, limits.get(key) ?? null, switching];
        const known = details.filter((text) => text !== null);
        const detail = known.length === 0 ? null : known.join(' · ');
        return { type: 'model', label: model.label, description: limitsText(model), detail, model, isInUse, isDefault };
      }),
    ]);
  return [...lines, { type: 'provider', label: '' }, { type: 'add', label: '$(add) Add a provider…' }];
}

export interface StayingForecast {
  readonly tokens: number;
  readonly read: number;
  /** The price with the current model. Null without prices. */
  readonly price: ExpectedPrice | null;
  /** Returns the price of a typical reply of a model, in US dollars. Null when unknown. */
  readonly replyCost: (model: Model) => number | null;
}

/**
 * Returns the price of the next request with another model and with the current one, then the tokens that the change
 * makes uncached. Null when the current model reads nothing from its cache. Models do not share caches, so the other
 * model gets the whole input uncached. `tokens` were counted for the current model, and are an estimate for the other.
 */
export function switchingText({ tokens, read, price, replyCost }: StayingForecast, model: Model): string | null {
  if (read === 0) {
    return null;
  }
  const { prices, capabilities } = model;
  const isWritten = capabilities.cache.kind === 'marks';
  const again = isWritten ? `≈ ${counted(tokens, 'token')} to cache again` : `≈ ${counted(tokens, 'uncached token')}`;
  if (prices === null) {
    return `Next request: ${again}`;
  }
  const { cacheWrite5m, input } = ratesOf(prices, tokens);
  const inputCost = (tokens * (isWritten ? cacheWrite5m : input)) / PER_MILLION;
  const there = requestPriceText({ inputCost, replyCost: replyCost(model), bound: '≈' }, prices.isPretended === true);
  const now = price === null ? '' : `, now ${requestPriceWords(price).figure}`;
  return `Next request ${there}${now} · ${again}`;
}
