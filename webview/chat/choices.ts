import type { ChatSettingsView, ModelOption } from '../../src/protocol/view.js';
import type { Choice } from '../shared/controls.js';

export type CacheMode = ChatSettingsView['cacheMode'];

export const CACHE_CHOICES: readonly (Choice & { readonly value: CacheMode })[] = [
  { value: 'all-off', label: 'No cache', detail: 'Nothing is marked for the cache' },
  { value: 'system', label: 'System', detail: 'Tools and system prompt are marked for the cache' },
  { value: 'cached', label: 'Cached', detail: 'The whole prompt is laid out for the cache' },
];

export function isCacheMode(value: string): value is CacheMode {
  return CACHE_CHOICES.some((choice) => choice.value === value);
}

/** The models to choose from. The chat's own stays among them, also when its provider has gone. */
export function modelChoices(models: readonly ModelOption[], current: string): Choice[] {
  const choices = models.map(({ key, label, detail }) => ({ value: key, label, detail }));
  return choices.some(({ value }) => value === current)
    ? choices
    : [{ value: current, label: current, detail: 'This model is not available' }, ...choices];
}
