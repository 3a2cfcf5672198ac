import type { ModelOption, SettingRow } from '../../src/protocol/view.js';
import type { Choice } from '../shared/controls.js';

/** The choices of a setting; none when it is a text field. */
export function settingChoices({ control, value }: SettingRow, models: readonly ModelOption[]): readonly Choice[] {
  switch (control.kind) {
    case 'model':
      return modelChoices(models, String(value));
    case 'choice':
      return control.options;
    case 'text':
    case 'integer':
      return [];
  }
}

/** The name of a chat's model. */
export function modelLabel(settings: readonly SettingRow[], models: readonly ModelOption[]): string {
  const rows = settings.filter(({ control }) => control.kind === 'model');
  return rows.flatMap((row) => settingChoices(row, models).find(({ value }) => value === row.value)?.label ?? []).join(', ');
}

/** The models to choose from. Keeps the chat's own model, even when its provider is gone. */
function modelChoices(models: readonly ModelOption[], current: string): Choice[] {
  const choices = models.map(({ key, label, detail }) => ({ value: key, label, detail }));
  return choices.some(({ value }) => value === current)
    ? choices
    : [{ value: current, label: current, detail: 'No longer available' }, ...choices];
}
