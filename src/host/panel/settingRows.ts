import { type ChatConfig, SETTING_NAMES, type SettingName, settingOf } from '../../engine/chat/config.js';
import { expectedNumber, plainConfig, settingBounds } from '../../engine/chat/configValues.js';
import type { SettingRow } from '../../protocol/view.js';

/** The settings of a chat as rows of a form. */
export function settingRows(config: ChatConfig): SettingRow[] {
  const values = plainConfig(config);
  return SETTING_NAMES.map((name) => ({ name, ...common(name), value: values[name], control: control(name, config) }));
}

function common(name: SettingName): Pick<SettingRow, 'label' | 'help' | 'isQuick'> {
  const { label, help, isQuick } = settingOf(name);
  return { label, help, isQuick };
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
      return { kind: 'integer', ...bounds, empty: setting.empty, expected: expectedNumber(bounds) };
    }
  }
}
