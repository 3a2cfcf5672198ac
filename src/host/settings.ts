import { type ChatConfig, type ModelRef, SETTING_NAMES } from '../engine/chat/config.js';
import { defaultConfig, readConfig } from '../engine/chat/configValues.js';
import { parseProviders } from './providers/parseProviders.js';
import type { ProviderConfig } from './providers/providerConfig.js';

/*
 * VS Code's settings. Those of a chat are only defaults, copied into a new one; the providers are the same for all chats.
 */

export const SETTINGS_SECTION = 'loupe';

/** The list of providers, within the section. Application scope: a workspace must not send a key elsewhere. */
export const PROVIDERS_KEY = 'providers';

/** Before the name of a chat's setting: its default in a new chat. */
export const DEFAULTS_PREFIX = 'defaults.';

export interface ReadSettings {
  /** The config of a new chat. */
  readonly settings: ChatConfig;
  readonly providers: readonly ProviderConfig[];
  /**
   * What is wrong, a sentence for each key. The fallback stands in for a value that is not valid; of a provider
   * what is not valid is left out.
   */
  readonly problems: readonly string[];
}

/** Reads the `loupe` section of the settings as VS Code gives it. Never throws, whatever is in there. */
export function readSettings(section: unknown, builtInModel: ModelRef): ReadSettings {
  const keys = new Map(SETTING_NAMES.map((name) => [`${DEFAULTS_PREFIX}${name}`, name]));
  const values = flatten(section, '', new Set([PROVIDERS_KEY, ...keys.keys()]));
  const given = Object.fromEntries([...keys].map(([key, name]) => [name, values.get(key)]));
  const { config, problems } = readConfig(given, defaultConfig(builtInModel));
  const { providers, problems: providerProblems } = parseProviders(values.get(PROVIDERS_KEY), `${SETTINGS_SECTION}.${PROVIDERS_KEY}`);
  const others = [...values.keys()].filter((key) => key !== PROVIDERS_KEY && !keys.has(key));
  return {
    settings: config,
    providers,
    problems: [
      ...problems.map(
        ({ name, expected }) => `${SETTINGS_SECTION}.${DEFAULTS_PREFIX}${name} is not valid: it wants ${expected}. Its default is used.`,
      ),
      ...providerProblems,
      ...others.map((key) => `${SETTINGS_SECTION}.${key} is not a setting of Loupe.`),
    ],
  };
}

/** Nested objects as dotted keys: settings may be written either way. What stands at one of `keys` is a value, whatever it is. */
function flatten(value: unknown, prefix: string, keys: ReadonlySet<string>): Map<string, unknown> {
  if (keys.has(prefix) || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Map<string, unknown>(prefix === '' ? [] : [[prefix, value]]);
  }
  const members = Object.entries(value).filter(([, member]) => typeof member !== 'function');
  return new Map(members.flatMap(([key, member]) => [...flatten(member, prefix === '' ? key : `${prefix}.${key}`, keys)]));
}
