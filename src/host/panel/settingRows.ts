import { promptLimit } from '../../engine/budget/budget.js';
import { type ChatConfig, SETTING_NAMES, type SettingName, settingOf } from '../../engine/chat/config.js';
import { expectedNumber, plainConfig, settingBounds } from '../../engine/chat/configValues.js';
import type { SettingRow } from '../../protocol/view.js';

/** The settings of a chat as rows of a form. `modelLimit` is the input limit of its model in tokens; null when unknown. */
export function settingRows(config: ChatConfig, modelLimit: number | null): SettingRow[] {
  const values = plainConfig(config);
  const limited = { ...config, maxPromptTokens: promptLimit(config, { maxInputTokens: modelLimit }) };
  return SETTING_NAMES.map((name) => ({ name, ...common(name), value: values[name], control: control(name, limited) }));
}

function common(name: SettingName): Pick<SettingRow, 'label' | 'help'> {
  const { label, help } = settingOf(name);
  return { label, help };
}

function control(name: SettingName, config: ChatConfig): SettingRow['control'] {
  const setting = settingOf(name);
  switch (setting.kind) {
    case 'model':
      return { kind: 'model' };
    case 'choice':
      return { kind: 'choice', options: setting.options };
    case 'text':
      return { kind: 'text', placeholder: setting.placeholder };
    case 'integer': {
      const bounds = settingBounds(name, config);
      const limit = bounds.most === null ? '' : ` (the context limit is ${(bounds.most + 1).toLocaleString('en-US')})`;
      return { kind: 'integer', ...bounds, empty: setting.empty, expected: `${expectedNumber(bounds)}${limit}` };
    }
  }
}
