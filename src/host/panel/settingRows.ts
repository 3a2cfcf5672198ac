import { promptLimit } from '../../engine/budget/budget.js';
import { type ChatConfig, SETTING_NAMES, type SettingName, settingOf } from '../../engine/chat/config.js';
import type { ChatSetting } from '../../engine/chat/setting.js';
import { type Bounds, expectedNumber, hasEffect, plainConfig, settingBounds } from '../../engine/chat/configValues.js';
import type { SettingRow } from '../../protocol/settings.js';

type IntegerSetting = Extract<ChatSetting, { readonly kind: 'integer' }>;

/**
 * The settings of a chat that have an effect, as rows of a form. `defaults` are those of a new chat. `modelLimit` is the input limit of its
 * model in tokens; null when unknown.
 */
export function settingRows(config: ChatConfig, defaults: ChatConfig, modelLimit: number | null): SettingRow[] {
  const [values, usual] = [plainConfig(config), plainConfig(defaults)];
  const limited = { ...config, maxPromptTokens: promptLimit(config, { maxInputTokens: modelLimit }) };
  const shown = SETTING_NAMES.filter((name) => hasEffect(name, config));
  return shown.map((name) => ({
    name,
    ...common(name),
    value: values[name],
    isChanged: values[name] !== usual[name],
    control: control(name, limited),
  }));
}

function common(name: SettingName): Pick<SettingRow, 'group' | 'label' | 'help'> {
  const { group, label, help } = settingOf(name);
  return { group, label, help };
}

function control(name: SettingName, config: ChatConfig): SettingRow['control'] {
  const setting = settingOf(name);
  switch (setting.kind) {
    case 'model':
      return { kind: 'model' };
    case 'agent':
      return { kind: 'agent' };
    case 'choice':
      return { kind: 'choice', options: setting.options };
    case 'switch': {
      const { on, turnsOn, off, numbers } = setting;
      return { kind: 'switch', on, turnsOn, off, numbers };
    }
    case 'text':
      return { kind: 'text', placeholder: setting.placeholder };
    case 'integer': {
      const bounds = settingBounds(name, config);
      return { kind: 'integer', ...bounds, empty: setting.empty, expected: `${expectedNumber(bounds)}${limitOf(setting, bounds)}` };
    }
  }
}

/** The setting that limits a number, in words; empty without one. */
function limitOf({ most: limit }: IntegerSetting, { most }: Bounds): string {
  const label = SETTING_NAMES.find((name) => name === limit?.setting);
  return limit === null || most === null || label === undefined
    ? ''
    : ` (${settingOf(label).label}: ${(most + limit.less).toLocaleString('en-US')})`;
}
