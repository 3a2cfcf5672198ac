import type { Model } from '../../../engine/model/model.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import { chatModels, type Provider } from '../registry.js';
import { switchingText, type Staying } from '../switchingText.js';
import { limitsText } from '../modelTexts.js';

/** A line of the menu of models. */
export type MenuLine =
  | { readonly type: 'provider'; readonly label: string }
  | {
      readonly type: 'model';
      readonly label: string;
      readonly description: string;
      /** What it costs to go on with it; null where that is not known, or nothing is lost. */
      readonly switching: string | null;
      readonly model: Model;
      readonly isInUse: boolean;
      readonly isDefault: boolean;
    }
  | { readonly type: 'add'; readonly label: string };

/** Keys of the model of the chat and of the one for new chats, and what is known of some. */
export interface ModelsInUse {
  readonly here: string;
  readonly inNewChats: string;
  /** What their providers still allow, in words, by key. */
  readonly limits: ReadonlyMap<string, string>;
  /** The next request with the model of the chat; null while it is not known. */
  readonly staying: Staying | null;
}

/** The models by provider, with context window, price and limits; marks those in use, in front of figures that may be cut. Omits providers without models for chats. */
export function modelMenu(providers: readonly Provider[], { here, inNewChats, limits, staying }: ModelsInUse): MenuLine[] {
  const lines = providers
    .filter((provider) => chatModels(provider).length > 0)
    .flatMap((provider): MenuLine[] => [
      { type: 'provider', label: provider.label },
      ...chatModels(provider).map((model): MenuLine => {
        const key = modelKey(model.ref);
        const isInUse = key === here;
        const isDefault = key === inNewChats;
        const marks = [...(isInUse ? ['in use'] : []), ...(isDefault ? ['default for new chats'] : [])];
        const left = limits.get(key);
        const description = [...marks, limitsText(model), ...(left === undefined ? [] : [left])].join(' · ');
        const switching = isInUse || staying === null ? null : switchingText(staying, model);
        return { type: 'model', label: model.label, description, switching, model, isInUse, isDefault };
      }),
    ]);
  return [...lines, { type: 'provider', label: '' }, { type: 'add', label: '$(add) Add a provider…' }];
}
