import type { Model } from '../../../engine/model/model.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import { type Provider, chatModels } from '../registry.js';
import { limitsText } from '../modelTexts.js';
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

/** The next request, if it goes to a model. */
export interface RequestInModel {
  /** Null without prices. */
  readonly price: ExpectedPrice | null;
  readonly isPretended: boolean;
  readonly read: number;
  readonly written: number;
  /** The tokens that the model neither reads from its cache nor writes to it. */
  readonly fresh: number;
}

/** The next request in each model, by model key. Omits a model that can have only a part of the request. */
export type ModelPrices = ReadonlyMap<string, RequestInModel>;

export interface ModelsInUse {
  readonly here: string;
  readonly inNewChats: string;
  /** The rate limits reported by providers, in words, by model key. */
  readonly limits: ReadonlyMap<string, string>;
  readonly prices: ModelPrices;
}

/** Lists the models by provider, with context window, price and limits. Omits providers without chat models. */
export function modelMenu(providers: readonly Provider[], { here, inNewChats, limits, prices }: ModelsInUse): MenuLine[] {
  const lines = providers
    .filter((provider) => chatModels(provider).length > 0)
    .flatMap((provider): MenuLine[] => [
      { type: 'provider', label: provider.label },
      ...chatModels(provider).map((model): MenuLine => {
        const key = modelKey(model.ref);
        const isInUse = key === here;
        const isDefault = key === inNewChats;
        const switching = isInUse ? null : switchingText(prices.get(key), prices.get(here));
        const details = [isInUse ? 'in use' : null, isDefault ? 'default for new chats' : null, limits.get(key) ?? null, switching];
        const known = details.filter((text) => text !== null);
        const detail = known.length === 0 ? null : known.join(' · ');
        return { type: 'model', label: model.label, description: limitsText(model), detail, model, isInUse, isDefault };
      }),
    ]);
  return [...lines, { type: 'provider', label: '' }, { type: 'add', label: '$(add) Add a provider…' }];
}

/**
 * Returns the price of the next request with another model and with the current one, then the tokens that the change
 * makes uncached: models do not share caches. Null when the current model reads nothing from its cache.
 */
export function switchingText(there: RequestInModel | undefined, here: RequestInModel | undefined): string | null {
  if (there === undefined || here === undefined || here.read === 0) {
    return null;
  }
  const { price, isPretended, written, fresh } = there;
  const again = written > 0 ? `≈ ${counted(written, 'token')} to cache again` : `≈ ${counted(fresh, 'uncached token')}`;
  if (price === null) {
    return `Next request: ${again}`;
  }
  const now = here.price === null ? '' : `, now ${requestPriceWords(here.price).figure}`;
  return `Next request ${requestPriceText(price, isPretended)}${now} · ${again}`;
}
