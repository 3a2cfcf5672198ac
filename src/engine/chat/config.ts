/** Names a model of a configured provider. */
export interface ModelRef {
  readonly provider: string;
  readonly model: string;
}

/** `provider/model`: how a model is named in settings, in the panel and in commands. */
export function modelKey(ref: ModelRef): string {
  return `${ref.provider}/${ref.model}`;
}

/** The model a key names; null when the key has no slash. The model's own name may hold more of them. */
export function parseModelKey(key: string): ModelRef | null {
  const slash = key.indexOf('/');
  return slash <= 0 || slash === key.length - 1 ? null : { provider: key.slice(0, slash), model: key.slice(slash + 1) };
}

/** What a setting takes. A whole number with words for `empty` may be left out: then it is null, which means that. */
type SettingKind =
  | { readonly kind: 'model' }
  | { readonly kind: 'choice'; readonly default: string; readonly options: readonly SettingOption[] }
  | { readonly kind: 'text'; readonly default: string; readonly placeholder: string }
  | {
      readonly kind: 'integer';
      readonly default: number | null;
      readonly minimum: number;
      readonly empty: string | null;
      /** The setting that it must stay below, unless that one is null. */
      readonly below: string | null;
    };

export interface SettingOption {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
}

/** `help` also describes the default in VS Code's settings. `isQuick`: it can be changed beside the message box, too. */
export type ChatSetting = SettingKind & { readonly label: string; readonly help: string; readonly isQuick: boolean };

/** The settings of a chat, in the order of the form. A row here and its default in `package.json` make a setting. */
export const CHAT_SETTINGS = {
  model: {
    kind: 'model',
    label: 'Model',
    help: 'The model that answers, as provider/model. The built-in practice model needs no key and no network.',
    isQuick: true,
  },
  cacheMode: {
    kind: 'choice',
    default: 'cached',
    label: 'Cache',
    help: 'Where cache breakpoints are put.',
    isQuick: true,
    options: [
      { value: 'all-off', label: 'No cache', detail: 'Nothing is marked for the cache' },
      { value: 'system', label: 'System', detail: 'Tools and system prompt are marked for the cache' },
      { value: 'cached', label: 'Cached', detail: 'The whole prompt is laid out for the cache' },
    ],
  },
  systemPrompt: {
    kind: 'text',
    default: '',
    label: 'System prompt',
    help: "Your part of the system prompt. It follows Loupe's own.",
    isQuick: false,
    placeholder: 'Instructions for every request of this chat',
  },
  maxPromptTokens: {
    kind: 'integer',
    default: null,
    minimum: 1,
    empty: 'Model limit',
    below: null,
    label: 'Max prompt tokens',
    help: 'Most tokens a request may have, the reserve for the reply included. Empty: the input limit of the model.',
    isQuick: false,
  },
  reservedResponseTokens: {
    kind: 'integer',
    // The reference's own reserve.
    default: 512,
    minimum: 0,
    empty: null,
    below: 'maxPromptTokens',
    label: 'Reserved response tokens',
    help: 'Tokens that the budget keeps free for the reply.',
    isQuick: false,
  },
} as const satisfies Readonly<Record<string, ChatSetting>>;

type Table = typeof CHAT_SETTINGS;
export type SettingName = keyof Table;

type ValueOf<S extends ChatSetting> = S extends { readonly kind: 'model' }
  ? ModelRef
  : S extends { readonly kind: 'choice' }
    ? S['options'][number]['value']
    : S extends { readonly kind: 'text' }
      ? string
      : S extends { readonly empty: string }
        ? number | null
        : number;

/**
 * The configuration of one chat. VS Code settings are only the defaults copied into a new chat; from then on
 * the chat's own config rules.
 */
export type ChatConfig = { readonly [K in SettingName]: ValueOf<Table[K]> };

/** Where cache breakpoints go: nowhere, on the system prompt, or on the system prompt and the conversation. */
export type CacheMode = ChatConfig['cacheMode'];

/** A setting's value as plain JSON, a model by its key: so it stands in VS Code's settings, in the panel and in the API. */
export type SettingValue = string | number | null;

export const SETTING_NAMES = Object.keys(CHAT_SETTINGS) as readonly SettingName[];

/** What a setting takes, without its own type: for what treats all alike. */
export function settingOf(name: SettingName): ChatSetting {
  return CHAT_SETTINGS[name];
}
