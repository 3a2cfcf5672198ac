import { type ChatConfig, SETTING_NAMES, type SettingName, settingOf } from '../../../src/engine/chat/settings/config.js';
import { defaultConfig, expectedNumber, hasEffect, plainConfig, settingBounds } from '../../../src/engine/chat/settings/configValues.js';
import type { SettingControl, SettingRow } from '../../../src/protocol/panel/view.js';

const DEFAULTS = defaultConfig({ provider: 'practice', model: 'standard' });

const CHANGED: ChatConfig = { ...DEFAULTS, systemPrompt: 'Answer in short sentences.', pickMinimum: 45, pickMost: 5, toolMemory: 1 };

/** The models for tasks other than replies. */
const OTHER_MODELS = [
  { value: '', label: "The chat's model", detail: 'The model that replies in this chat' },
  { value: 'practice/small', label: 'Practice: Practice (8K window)', detail: '8,192 tokens' },
];

/** All chat settings that have an effect. The user has changed four of them. */
export const SETTINGS: readonly SettingRow[] = SETTING_NAMES.filter((name) => hasEffect(name, CHANGED)).map((name) => {
  const { group, label, help } = settingOf(name);
  const value = plainConfig(CHANGED)[name];
  return { name, group, label, help, value, isChanged: CHANGED[name] !== DEFAULTS[name], control: controlOf(name) };
});

function controlOf(name: SettingName): SettingControl {
  const setting = settingOf(name);
  if (setting.kind === 'otherModel') {
    return { kind: 'choice', options: OTHER_MODELS };
  }
  if (setting.kind === 'integer') {
    const bounds = settingBounds(name, CHANGED);
    return { kind: 'integer', ...bounds, empty: setting.empty, expected: expectedNumber(bounds) };
  }
  return setting;
}
