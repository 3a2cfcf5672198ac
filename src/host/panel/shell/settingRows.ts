import { promptLimit } from '../../../engine/budget/budget.js';
import { type ChatConfig, SETTING_NAMES, type SettingName, settingOf } from '../../../engine/chat/settings/config.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import type { ChatSetting } from '../../../engine/chat/settings/setting.js';
import { type Bounds, expectedNumber, hasEffect, plainConfig, settingBounds } from '../../../engine/chat/settings/configValues.js';
import type { SettingControl, SettingRow } from '../../../protocol/panel/settings.js';
import { limitsText } from '../../models/modelTexts.js';
import { chatModels, type Provider } from '../../models/registry.js';

type ChoiceOptions = Extract<SettingControl, { readonly kind: 'choice' }>['options'];
type IntegerSetting = Extract<ChatSetting, { readonly kind: 'integer' }>;

/**
 * Returns the chat settings that have an effect, as rows of a form. `defaults` are those of a new chat. `modelLimit` is
 * the input limit of the model in tokens, or null. `providers` have the models to choose from.
 */
export function settingRows(
  config: ChatConfig,
  defaults: ChatConfig,
  { modelLimit, providers }: { readonly modelLimit: number | null; readonly providers: readonly Provider[] },
): SettingRow[] {
  const [values, usual] = [plainConfig(config), plainConfig(defaults)];
  const limited = { ...config, maxPromptTokens: promptLimit(config, { maxInputTokens: modelLimit }) };
  const shown = SETTING_NAMES.filter((name) => hasEffect(name, config));
  return shown.map((name) => {
    const { group, label, help } = settingOf(name);
    const isChanged = values[name] !== usual[name];
    const models = (): ChoiceOptions => otherModels(String(values[name]), providers);
    return { name, group, label, help, value: values[name], isChanged, control: control(name, limited, models) };
  });
}

function control(name: SettingName, config: ChatConfig, models: () => ChoiceOptions): SettingControl {
  const setting = settingOf(name);
  switch (setting.kind) {
    case 'otherModel':
      return { kind: 'choice', options: models() };
    case 'choice':
      return { kind: 'choice', options: setting.options };
    case 'integer': {
      const bounds = settingBounds(name, config);
      return { kind: 'integer', ...bounds, empty: setting.empty, expected: `${expectedNumber(bounds)}${limitOf(setting, bounds)}` };
    }
    case 'model':
    case 'agent':
      return { kind: setting.kind };
    case 'text':
    case 'switch':
      return setting;
  }
}

/** Returns the choices: the chat's model, then all models, even the model `chosen` if it no longer exists. */
function otherModels(chosen: string, providers: readonly Provider[]): ChoiceOptions {
  const own = { value: '', label: "The chat's model", detail: 'The model that replies in this chat' };
  const models = providers.flatMap((provider) =>
    chatModels(provider).map((model) => ({
      value: modelKey(model.ref),
      label: `${provider.label}: ${model.label}`,
      detail: limitsText(model),
    })),
  );
  const isListed = chosen === '' || models.some(({ value }) => value === chosen);
  return [own, ...models, ...(isListed ? [] : [{ value: chosen, label: chosen, detail: 'Model no longer available' }])];
}

/** Returns the other setting that limits a number, with its value; empty when no other setting does. */
function limitOf({ most: limit }: IntegerSetting, { most }: Bounds): string {
  const label = SETTING_NAMES.find((name) => name === limit?.setting);
  return limit === null || most === null || label === undefined
    ? ''
    : ` (${settingOf(label).label}: ${(most + limit.less).toLocaleString('en-US')})`;
}
