import { type ChatConfig, SETTING_NAMES, type SettingName, settingOf, type SettingValue } from '../../engine/chat/settings/config.js';
import { type ModelRef, parseModelKey } from '../../engine/model/modelRef.js';
import type { AgentProfile } from '../../engine/context/agentProfile.js';
import type { SpendLimits } from '../../engine/spend/limits.js';
import { defaultConfig, plainConfig, readConfig } from '../../engine/chat/settings/configValues.js';
import { INCLUDE_MODES_KEY, includeSetting } from '../context/catalog/includeSetting.js';
import {
  RULE_FORMATS_KEY,
  ruleFormatsSetting,
  USER_FILES_KEY,
  userFilesSetting,
  type UsedFamilies,
} from '../context/catalog/ruleFormats.js';
import type { UserFamily } from '../context/files/userFiles.js';
import { parseProviders } from '../models/providers/parseProviders.js';
import { PROVIDERS_KEY } from '../models/providers/providerSettings.js';
import { SETTINGS_SECTION } from '../window/settingsSection.js';
import type { ProviderConfig } from '../models/providers/providerConfig.js';

/* VS Code's settings. New chats copy their defaults from here. The providers in the settings apply to all chats. */

/** Prefix of the settings whose values a new chat copies. */
export const DEFAULTS_PREFIX = 'defaults.';

/** Whether Loupe shows explanations after a new installation. */
export const INTRODUCTION_KEY = 'introduction';

/** The text size of the conversation and the message box, in pixels. */
export const FONT_SIZE_KEY = 'fontSize';

/** Limits in pixels. Smaller text is unreadable, and with larger text not even one word fits on a line. */
const FONT_SIZES = { least: 8, most: 40 } as const;

/** Whether editors show Loupe's button in their title. Only the `when` clause of the menu reads this setting. */
export const TITLE_BUTTON_KEY = 'editorTitleButton';

/** The embedding model. With it, Loupe also compares texts by meaning, and not only by words. */
export const EMBEDDINGS_KEY = 'embeddings';

/** The spend limits in US dollars: the price above which Loupe asks, and the maximum per chat and per day. */
export const SPEND_KEYS = { askAbove: 'spend.askAbove', capPerChat: 'spend.capPerChat', capPerDay: 'spend.capPerDay' } as const;

/** Settings whose value is an object or a list, which `flatten` must not split. */
const SINGLE_KEYS: readonly string[] = [
  PROVIDERS_KEY,
  INTRODUCTION_KEY,
  FONT_SIZE_KEY,
  TITLE_BUTTON_KEY,
  EMBEDDINGS_KEY,
  INCLUDE_MODES_KEY,
  RULE_FORMATS_KEY,
  USER_FILES_KEY,
  ...Object.values(SPEND_KEYS),
];

export interface ReadSettings {
  readonly settings: ChatConfig;
  readonly providers: readonly ProviderConfig[];
  readonly introduction: boolean;
  /** The text size in pixels, or null for VS Code's size. */
  readonly fontSize: number | null;
  readonly embeddings: ModelRef | null;
  readonly spendLimits: SpendLimits;
  /** The include modes that apply to all chats, by item key or by server key. */
  readonly includes: AgentProfile['includes'];
  /** The programs whose rules chats use. Null for all programs. */
  readonly ruleFamilies: UsedFamilies;
  /** The programs whose rules in the home folder chats use. */
  readonly userFamilies: ReadonlySet<UserFamily>;
  /** One sentence per invalid setting. Loupe uses the default instead, or ignores the invalid part of a provider. */
  readonly problems: readonly string[];
}

/** Reads the `loupe` section of the settings in VS Code's format. Accepts any input and never throws. */
export function readSettings(section: unknown, builtInModel: ModelRef): ReadSettings {
  const keys = new Map(SETTING_NAMES.map((name) => [`${DEFAULTS_PREFIX}${name}`, name]));
  const values = flatten(section, '', new Set([...SINGLE_KEYS, ...keys.keys()]));
  const introduction = values.get(INTRODUCTION_KEY) ?? true;
  const size = fontSizeSetting(values.get(FONT_SIZE_KEY) ?? null);
  const embedder = embeddingsSetting(values.get(EMBEDDINGS_KEY) ?? null);
  const spend = spendSettings(values);
  const modes = includeSetting(values.get(INCLUDE_MODES_KEY) ?? {}, `${SETTINGS_SECTION}.${INCLUDE_MODES_KEY}`);
  const formats = ruleFormatsSetting(values.get(RULE_FORMATS_KEY) ?? null, `${SETTINGS_SECTION}.${RULE_FORMATS_KEY}`);
  const userFiles = userFilesSetting(values.get(USER_FILES_KEY) ?? [], `${SETTINGS_SECTION}.${USER_FILES_KEY}`);
  const given = Object.fromEntries([...keys].map(([key, name]) => [name, values.get(key)]));
  const { config, problems } = readConfig(given, defaultConfig(builtInModel));
  const areToolsWrong = problems.some(({ name }) => name === 'workspaceTools');
  const { providers, problems: providerProblems } = parseProviders(values.get(PROVIDERS_KEY), `${SETTINGS_SECTION}.${PROVIDERS_KEY}`);
  const others = [...values.keys()].filter((key) => !SINGLE_KEYS.includes(key) && !keys.has(key));
  return {
    // A typo must not give the model tools that edit files and run commands.
    settings: areToolsWrong ? { ...config, workspaceTools: 'off' } : config,
    providers,
    introduction: introduction !== false,
    fontSize: size.fontSize,
    embeddings: embedder.model,
    spendLimits: spend.limits,
    includes: modes.includes,
    ruleFamilies: formats.families,
    userFamilies: userFiles.families,
    problems: [
      ...problems.map(({ name, expected }) => {
        const used = name === 'workspaceTools' ? 'the value off' : 'the default';
        return `${SETTINGS_SECTION}.${DEFAULTS_PREFIX}${name} is invalid; expected ${expected}. Loupe uses ${used}.`;
      }),
      ...providerProblems,
      ...introductionProblems(introduction),
      ...size.problems,
      ...embedder.problems,
      ...spend.problems,
      ...modes.problems,
      ...formats.problems,
      ...userFiles.problems,
      ...others.map((key) => `${SETTINGS_SECTION}.${key} is not a Loupe setting.`),
    ],
  };
}

function fontSizeSetting(value: unknown): { readonly fontSize: number | null; readonly problems: readonly string[] } {
  if (value === null || isFontSize(value)) {
    return { fontSize: value, problems: [] };
  }
  const { least, most } = FONT_SIZES;
  const expected = `a number from ${String(least)} to ${String(most)}, or null`;
  return {
    fontSize: null,
    problems: [`${SETTINGS_SECTION}.${FONT_SIZE_KEY} is invalid; expected ${expected}. Loupe uses VS Code's size.`],
  };
}

function embeddingsSetting(value: unknown): { readonly model: ModelRef | null; readonly problems: readonly string[] } {
  const model = typeof value === 'string' ? parseModelKey(value) : null;
  const problem = `${SETTINGS_SECTION}.${EMBEDDINGS_KEY} is invalid; expected a model as provider/model, or null. Until you correct it, Loupe picks items only by words.`;
  return { model, problems: value === null || model !== null ? [] : [problem] };
}

/** Reads the spend limits. An invalid limit becomes 0, because a typo must not make Loupe spend more. */
function spendSettings(values: ReadonlyMap<string, unknown>): { readonly limits: SpendLimits; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const limit = (key: string): number | null => {
    const value = values.get(key) ?? null;
    if (value === null || (typeof value === 'number' && value >= 0)) {
      return value;
    }
    problems.push(
      `${SETTINGS_SECTION}.${key} is invalid; expected an amount in US dollars, 0 or more, or null. Until you correct it, Loupe asks before each request that costs money.`,
    );
    return 0;
  };
  const { askAbove, capPerChat, capPerDay } = SPEND_KEYS;
  return { limits: { askAbove: limit(askAbove), capPerChat: limit(capPerChat), capPerDay: limit(capPerDay) }, problems };
}

function introductionProblems(value: unknown): readonly string[] {
  return typeof value === 'boolean' ? [] : [`${SETTINGS_SECTION}.${INTRODUCTION_KEY} is invalid; expected true or false. Loupe uses true.`];
}

function isFontSize(value: unknown): value is number {
  return typeof value === 'number' && value >= FONT_SIZES.least && value <= FONT_SIZES.most;
}

/**
 * Returns the settings of `to` that differ from `from`, in the order in which to write them. The order keeps a number
 * below its upper limit after each write: a shrinking number comes before its limit, a growing number after.
 */
export function changedDefaults(to: ChatConfig, from: ChatConfig): { readonly name: SettingName; readonly value: SettingValue }[] {
  const [before, after] = [plainConfig(from), plainConfig(to)];
  const changed = SETTING_NAMES.filter((name) => before[name] !== after[name]).map((name) => ({ name, value: after[name] }));
  const isLimitedAndShrinks = ({ name, value }: { name: SettingName; value: SettingValue }): boolean => {
    const setting = settingOf(name);
    return setting.kind === 'integer' && setting.most !== null && Number(value) < Number(before[name]);
  };
  return [...changed.filter(isLimitedAndShrinks), ...changed.filter((each) => !isLimitedAndShrinks(each))];
}

/** Flattens nested objects into dotted keys, because VS Code accepts both forms. Values at `keys` are not flattened. */
function flatten(value: unknown, prefix: string, keys: ReadonlySet<string>): Map<string, unknown> {
  if (keys.has(prefix) || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Map<string, unknown>(prefix === '' ? [] : [[prefix, value]]);
  }
  const members = Object.entries(value).filter(([, member]) => typeof member !== 'function');
  return new Map(members.flatMap(([key, member]) => [...flatten(member, prefix === '' ? key : `${prefix}.${key}`, keys)]));
}
