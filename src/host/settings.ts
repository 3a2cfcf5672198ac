import { CACHE_MODES, type ChatConfig, type ModelRef } from '../engine/chat/config.js';
import { modelKey, parseModelKey } from './models.js';
import { parseProviders } from './providers/parseProviders.js';
import type { ProviderConfig } from './providers/providerConfig.js';

/*
 * The settings, declared once: `package.json` is checked against this table by a test. Those of a chat are only
 * defaults, copied into a new one; the providers are the same for all chats.
 */

export const SETTINGS_SECTION = 'loupe';

/** The list of providers, within the section. Application scope: a workspace must not send a key elsewhere. */
export const PROVIDERS_KEY = 'providers';

/** The config of a new chat. */
export type Settings = ChatConfig;

/** A setting: what it falls back to, and how a value is read. `read` gives undefined for a value that is not valid. */
interface Setting<T> {
  readonly key: string;
  readonly fallback: T;
  readonly expected: string;
  read(value: unknown): T | undefined;
}

/** Reserve of the reply when the budget is computed: the reference's own 512. */
const RESERVED_RESPONSE_TOKENS = 512;

export function settingsTable(builtInModel: ModelRef): { readonly [K in keyof Settings]: Setting<Settings[K]> } {
  return {
    model: {
      key: 'defaults.model',
      fallback: builtInModel,
      expected: `a model as provider/model, such as "${modelKey(builtInModel)}"`,
      read: (value) => (typeof value === 'string' ? (parseModelKey(value) ?? undefined) : undefined),
    },
    cacheMode: {
      key: 'defaults.cacheMode',
      fallback: 'cached',
      expected: `one of ${CACHE_MODES.join(', ')}`,
      read: (value) => CACHE_MODES.find((mode) => mode === value),
    },
    systemPrompt: {
      key: 'defaults.systemPrompt',
      fallback: '',
      expected: 'a text',
      read: (value) => (typeof value === 'string' ? value : undefined),
    },
    maxPromptTokens: {
      key: 'defaults.maxPromptTokens',
      fallback: null,
      expected: 'a positive whole number, or null',
      read: (value) => (value === null || (isWhole(value) && value > 0) ? value : undefined),
    },
    reservedResponseTokens: {
      key: 'defaults.reservedResponseTokens',
      fallback: RESERVED_RESPONSE_TOKENS,
      expected: 'a whole number, 0 or more',
      read: (value) => (isWhole(value) && value >= 0 ? value : undefined),
    },
  };
}

export interface ReadSettings {
  readonly settings: Settings;
  readonly providers: readonly ProviderConfig[];
  /**
   * What is wrong, a sentence for each key. The fallback stands in for a value that is not valid; of a provider
   * what is not valid is left out.
   */
  readonly problems: readonly string[];
}

/** Reads the `loupe` section of the settings as VS Code gives it. Never throws, whatever is in there. */
export function readSettings(section: unknown, builtInModel: ModelRef): ReadSettings {
  const table = settingsTable(builtInModel);
  const values = flatten(section, '', new Set([PROVIDERS_KEY, ...Object.values(table).map(({ key }) => key)]));
  const problems: string[] = [];
  const read = <T>(setting: Setting<T>): T => {
    const value = values.get(setting.key);
    values.delete(setting.key);
    const valid = value === undefined ? setting.fallback : setting.read(value);
    if (valid === undefined) {
      problems.push(`${SETTINGS_SECTION}.${setting.key} is not valid: it wants ${setting.expected}. Its default is used.`);
    }
    return valid ?? setting.fallback;
  };
  const settings: Settings = {
    model: read(table.model),
    cacheMode: read(table.cacheMode),
    systemPrompt: read(table.systemPrompt),
    maxPromptTokens: read(table.maxPromptTokens),
    reservedResponseTokens: read(table.reservedResponseTokens),
  };
  const { providers, problems: providerProblems } = parseProviders(values.get(PROVIDERS_KEY), `${SETTINGS_SECTION}.${PROVIDERS_KEY}`);
  problems.push(...providerProblems);
  values.delete(PROVIDERS_KEY);
  for (const key of values.keys()) {
    problems.push(`${SETTINGS_SECTION}.${key} is not a setting of Loupe.`);
  }
  return { settings, providers, problems };
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

/** Nested objects as dotted keys: settings may be written either way. What stands at one of `keys` is a value, whatever it is. */
function flatten(value: unknown, prefix: string, keys: ReadonlySet<string>): Map<string, unknown> {
  if (keys.has(prefix) || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Map<string, unknown>(prefix === '' ? [] : [[prefix, value]]);
  }
  const members = Object.entries(value).filter(([, member]) => typeof member !== 'function');
  return new Map(members.flatMap(([key, member]) => [...flatten(member, prefix === '' ? key : `${prefix}.${key}`, keys)]));
}
