import type { Model } from '../../engine/run/model.js';
import { modelKey } from '../../engine/chat/config.js';
import type { Provider } from '../models.js';
import { limitsText } from './setup/modelTexts.js';

/** A line of the choice of models. */
export type MenuLine =
  | { readonly type: 'provider'; readonly label: string }
  | { readonly type: 'model'; readonly label: string; readonly description: string; readonly model: Model }
  | { readonly type: 'add'; readonly label: string };

/** The models by provider, with window and price; the chat's own is marked. Providers without models are left out. */
export function modelMenu(providers: readonly Provider[], current: string): MenuLine[] {
  const lines = providers
    .filter(({ models }) => models.length > 0)
    .flatMap(({ label, models }): MenuLine[] => [
      { type: 'provider', label },
      ...models.map((model): MenuLine => {
        const mark = modelKey(model.ref) === current ? ' · in use' : '';
        return { type: 'model', label: model.label, description: `${limitsText(model)}${mark}`, model };
      }),
    ]);
  return [...lines, { type: 'provider', label: '' }, { type: 'add', label: '$(add) Add a provider…' }];
}
