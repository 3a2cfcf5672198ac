import { failure } from '../../errors.js';
import { type ChatConfig, SETTING_NAMES, type SettingName, settingOf, type SettingValue } from './config.js';
import { modelKey, type ModelRef, parseModelKey } from '../../model/modelRef.js';
import type { ChatSetting } from './setting.js';

/* Reads setting values from VS Code's settings, the panel or the API. The table of settings decides what is valid. */

/** A setting with an invalid value. `expected` describes the valid values in words. */
export interface SettingProblem {
  readonly name: SettingName;
  readonly expected: string;
}

export function defaultConfig(model: ModelRef): ChatConfig {
  return configOf((name) => {
    const setting = settingOf(name);
    return setting.kind === 'model' ? model : setting.default;
  });
}

export function plainConfig(config: ChatConfig): Record<SettingName, SettingValue> {
  const values = SETTING_NAMES.map((name) => [name, plainValue(config[name])] as const);
  return Object.fromEntries(values) as Record<SettingName, SettingValue>;
}

/**
 * Returns the config with the values of `given`, and with `base` for missing values. An invalid value, or a value that
 * contradicts another setting, is reported as a problem and replaced by the value of `base`.
 */
export function readConfig(
  given: Readonly<Partial<Record<SettingName, unknown>>>,
  base: ChatConfig,
): { readonly config: ChatConfig; readonly problems: readonly SettingProblem[] } {
  const wrong = SETTING_NAMES.filter((name) => given[name] !== undefined && readValue(name, given[name]) === undefined);
  const isRead = (name: SettingName): boolean => given[name] !== undefined && !wrong.includes(name);
  const read = configOf((name) => (isRead(name) ? readValue(name, given[name]) : base[name]));
  const torn = SETTING_NAMES.filter((name) => !isWithin(name, read) && isWithin(name, base));
  const config = configOf((name) => (torn.includes(name) ? base[name] : read[name]));
  return {
    config,
    problems: [
      ...wrong.map((name) => ({ name, expected: expectedValue(name) })),
      ...torn.map((name) => ({ name, expected: expectedNumber(settingBounds(name, read)) })),
    ],
  };
}

/** Returns a change of the config from plain values. Throws `invalidInput` for unknown settings and invalid values. */
export function configChange(config: ChatConfig, values: Readonly<Record<string, unknown>>): Partial<ChatConfig> {
  const unknown = Object.keys(values).find((name) => !SETTING_NAMES.includes(name as SettingName));
  if (unknown !== undefined) {
    throw failure('chat.unknownSetting', { name: unknown });
  }
  const { config: changed, problems } = readConfig(values, config);
  const named = SETTING_NAMES.filter((name) => Object.hasOwn(values, name));
  // If two settings contradict each other, the error message names the setting that the caller wanted to change.
  const sentences = problems
    .filter(({ name }) => named.includes(name))
    .map(({ name, expected }) => `${settingOf(name).label} is invalid; expected ${expected}.`);
  if (sentences.length > 0) {
    throw failure('chat.badSetting', { problem: sentences.join(' ') });
  }
  return Object.fromEntries(named.map((name) => [name, changed[name]]));
}

/** Returns whether a setting has an effect, given the values of the other settings. */
export function hasEffect(name: SettingName, config: ChatConfig): boolean {
  const values: Readonly<Record<string, SettingValue>> = plainConfig(config);
  return Object.entries(settingOf(name).with).every(([other, wanted]) => wanted.includes(String(values[other])));
}

/** The limits of a whole number. `most` is null without an upper limit. */
export interface Bounds {
  readonly least: number;
  readonly most: number | null;
}

export function settingBounds(name: SettingName, config: ChatConfig): Bounds {
  let { least, most }: Bounds = { least: 0, most: null };
  for (const other of SETTING_NAMES) {
    const setting = settingOf(other);
    const value = numberOf(other, config);
    if (setting.kind === 'integer' && other === name) {
      const limit = setting.most === null ? null : numberOf(setting.most.setting, config);
      [least, most] = [Math.max(least, setting.minimum), limit === null ? null : limit - (setting.most?.less ?? 0)];
    } else if (setting.kind === 'integer' && setting.most?.setting === name && value !== null) {
      least = Math.max(least, value + setting.most.less);
    }
  }
  return { least, most };
}

export function expectedNumber({ least, most }: Bounds): string {
  const [from, to] = [least.toLocaleString('en-US'), most?.toLocaleString('en-US')];
  return to === undefined ? `a whole number, ${from} or more` : `a whole number from ${from} to ${to}`;
}

function expectedValue(name: SettingName): string {
  const setting = settingOf(name);
  switch (setting.kind) {
    case 'model':
      return 'a model as provider/model';
    case 'otherModel':
      return 'a model as provider/model, or nothing';
    case 'choice':
      return `one of ${setting.options.map(({ value }) => value).join(', ')}`;
    case 'text':
      return 'text';
    case 'agent':
      return 'the name of an agent, or nothing';
    case 'integer':
      return `${expectedNumber({ least: setting.minimum, most: null })}${setting.empty === null ? '' : ', or null'}`;
    case 'switch':
      return `one of ${setting.numbers.map(({ value }) => value).join(', ')}, or null`;
  }
}

/** Converts plain JSON to a setting's value. Undefined if the JSON is no valid value. */
function readValue(name: SettingName, value: unknown): ModelRef | SettingValue | undefined {
  const setting = settingOf(name);
  switch (setting.kind) {
    case 'model':
      return typeof value === 'string' ? (parseModelKey(value) ?? undefined) : undefined;
    case 'otherModel':
      return typeof value === 'string' && (value === '' || parseModelKey(value) !== null) ? value : undefined;
    case 'choice':
      return setting.options.find((option) => option.value === value)?.value;
    case 'text':
    case 'agent':
      return typeof value === 'string' ? value : undefined;
    case 'switch':
      return value === null ? null : setting.numbers.find((number) => number.value === value)?.value;
    case 'integer':
      return readInteger(setting, value);
  }
}

function readInteger({ empty, minimum }: Extract<ChatSetting, { readonly kind: 'integer' }>, value: unknown): number | null | undefined {
  if (value === null) {
    return empty === null ? undefined : null;
  }
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum ? value : undefined;
}

function isWithin(name: SettingName, config: ChatConfig): boolean {
  const { least, most } = settingBounds(name, config);
  const value = numberOf(name, config);
  return value === null || (value >= least && (most === null || value <= most));
}

function numberOf(name: string, config: ChatConfig): number | null {
  const value = Object.entries(config).find(([other]) => other === name)?.[1];
  return typeof value === 'number' ? value : null;
}

function plainValue(value: ModelRef | SettingValue): SettingValue {
  return typeof value === 'object' && value !== null ? modelKey(value) : value;
}

/** The cast is needed because TypeScript cannot relate a name to the type of its value. */
function configOf(valueOf: (name: SettingName) => ModelRef | SettingValue | undefined): ChatConfig {
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, valueOf(name)])) as unknown as ChatConfig;
}
