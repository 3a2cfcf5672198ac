import type { ModelRef } from '../../model/modelRef.js';
import { NUMBER, type ChatSetting } from './setting.js';
import { SUMMARY_SETTINGS } from './summarySettings.js';

/**
 * The settings of a chat. The settings form shows them in this order within each group, and hides settings without an
 * effect. A new setting needs a row here and its default in `package.json`.
 */
export const CHAT_SETTINGS = {
  model: {
    kind: 'model',
    group: null,
    label: 'Model',
    help: 'The model that replies (provider/model). The built-in practice model needs no key and no network.',
    with: {},
  },
  cacheMode: {
    kind: 'choice',
    group: null,
    default: 'cached',
    label: 'Cache',
    help: 'How much of the prompt is cached. The provider bills text at a higher price the first time, and at a lower price later.',
    options: [
      { value: 'all-off', label: 'Off', detail: 'Marks nothing for caching' },
      { value: 'system', label: 'System prompt only', detail: 'Marks tools and system prompt for caching' },
      { value: 'cached', label: 'Whole conversation', detail: 'Marks the whole conversation for caching' },
    ],
    with: {},
  },
  cacheLifetime: {
    kind: 'choice',
    group: 'Prompt layout and cache',
    default: 'automatic',
    label: 'Cache lifetime',
    help: 'How long the provider keeps content that a request writes to the cache. A longer time costs more.',
    options: [
      { value: 'automatic', label: 'Automatic', detail: 'The longer lifetime if it is cheaper for the pauses of this chat' },
      { value: '5m', label: '5 minutes', detail: 'If not available: the shortest lifetime of the provider' },
      { value: '1h', label: '1 hour', detail: 'If not available: the longest lifetime of the provider' },
    ],
    with: { cacheMode: ['system', 'cached'] },
  },
  layout: {
    kind: 'choice',
    group: 'Prompt layout and cache',
    default: 'adaptive',
    label: 'Prompt layout',
    help: 'The order of a request. Providers only reuse (and discount) text that has not moved since the previous request.',
    options: [
      { value: 'adaptive', label: 'Continue', detail: 'Sent content stays in place. Changed files follow as differences. Costs the least' },
      {
        value: 'tiered',
        label: 'By stability',
        detail: 'Content that stays unchanged for the longest time comes first, in up to four cached tiers. Newer content is not cached',
      },
      { value: 'message-70', label: 'First 70%', detail: 'Files first; marks the first 70% of the messages. For chats with many edits' },
      {
        value: 'plain',
        label: 'Files first',
        detail: 'Files as they are now, then the messages. A changed file is sent again with everything after it',
      },
    ],
    with: { cacheMode: ['cached'] },
  },
  fileChanges: {
    kind: 'choice',
    group: 'Prompt layout and cache',
    default: 'differences',
    label: 'Changed files',
    help: 'How a file is sent again after it has changed.',
    options: [
      { value: 'differences', label: 'What has changed', detail: 'As a difference, if that is shorter' },
      { value: 'copies', label: 'The whole file', detail: 'For models that read differences badly' },
    ],
    with: { cacheMode: ['cached'], layout: ['adaptive'] },
  },
  cacheTargetTokens: {
    kind: 'integer',
    group: 'Prompt layout and cache',
    default: null,
    minimum: 0,
    empty: "Provider's minimum",
    most: null,
    label: 'Tokens kept in a tier',
    help: "Tokens that stay in a cached tier when its more stable content moves up. Empty: the provider's minimum.",
    with: { cacheMode: ['cached'], layout: ['tiered'] },
  },
  agent: {
    kind: 'agent',
    group: null,
    default: '',
    label: 'Agent',
    help: 'An agent profile of the workspace, by its name: its prompt is sent in every request, before your system prompt.',
    with: {},
  },
  systemPrompt: {
    kind: 'text',
    group: null,
    default: '',
    label: 'System prompt',
    help: 'Your instructions. Loupe adds them to its system prompt in every request.',
    placeholder: 'Instructions for every request in this chat',
    with: {},
  },
  pickMinimum: {
    ...NUMBER,
    group: 'Picked rules and skills',
    default: 30,
    minimum: 1,
    label: 'Least match for a pick',
    help: 'Loupe adds a rule, reference or skill to your message if both match by at least this percentage.',
    with: {},
  },
  pickMost: {
    ...NUMBER,
    group: 'Picked rules and skills',
    default: 3,
    minimum: 0,
    label: 'Most picks for a message',
    help: 'How many rules, references and skills are added to one message.',
    with: {},
  },
  pickCertain: {
    kind: 'integer',
    group: 'Picked rules and skills',
    default: 70,
    minimum: 1,
    empty: 'Never',
    most: null,
    label: 'Always pick from a match of',
    help: 'Loupe always adds items that match by at least this percentage, even above the limit for a message. Empty: never.',
    with: {},
  },
  pickCandidates: {
    ...NUMBER,
    group: 'Picked rules and skills',
    default: 20,
    minimum: 1,
    label: 'Candidates looked at',
    help: 'How many of the best matches are checked for a message.',
    with: {},
  },
  workspaceTools: {
    kind: 'choice',
    group: 'Tools',
    default: 'on',
    label: 'Workspace tools',
    help: "Whether the model gets Loupe's own tools: list, read, search and edit files, and run commands. Loupe asks before they run.",
    options: [
      { value: 'on', label: 'On', detail: 'Loupe offers these tools in a trusted folder' },
      { value: 'off', label: 'Off', detail: 'Requests do not contain these tools' },
    ],
    with: {},
  },
  toolMemory: {
    kind: 'switch',
    group: 'Tools',
    default: null,
    on: 1,
    turnsOn: 'Forget old tool calls',
    off: 'Always remember',
    numbers: [
      { value: 0, label: 'Immediately', detail: 'forget immediately' },
      { value: 1, label: 'After 1 turn', detail: 'forget after 1 turn' },
      { value: 2, label: 'After 2 turns', detail: 'forget after 2 turns' },
      { value: 3, label: 'After 3 turns', detail: 'forget after 3 turns' },
      { value: 4, label: 'After 4 turns', detail: 'forget after 4 turns' },
      { value: 5, label: 'After 5 turns', detail: 'forget after 5 turns' },
    ],
    label: 'Tool memory',
    help: 'When requests stop sending earlier tool calls with their results. A turn ends with a reply that calls no tool; pinned messages stay.',
    with: {},
  },
  toolsLeave: {
    kind: 'choice',
    group: 'Tools',
    default: 'later',
    label: 'Remove forgotten calls',
    help: 'When Loupe removes forgotten tool calls from the prompt. Everything after them is then written to the cache again.',
    options: [
      { value: 'later', label: 'When the prompt is rebuilt', detail: 'As soon as their removal costs nothing or saves money' },
      { value: 'now', label: 'At once', detail: 'With the first request after their turns, at any cost' },
    ],
    with: { cacheMode: ['cached'], layout: ['adaptive'], toolMemory: ['0', '1', '2', '3', '4', '5'] },
  },
  maxPromptTokens: {
    kind: 'integer',
    group: null,
    default: null,
    minimum: 1,
    empty: 'Model limit',
    most: null,
    label: 'Context limit',
    help: "Context limit in tokens, including the tokens left free for the reply. Empty: the model's limit.",
    with: {},
  },
  reservedResponseTokens: {
    kind: 'integer',
    group: null,
    // The reference implementation reserves the same number of tokens.
    default: 512,
    minimum: 0,
    empty: null,
    most: { setting: 'maxPromptTokens', less: 1 },
    label: 'Kept free for the reply',
    help: 'Tokens left free for the reply. The reply can still be longer.',
    with: {},
  },
  ...SUMMARY_SETTINGS,
  titles: {
    kind: 'choice',
    group: 'Titles',
    default: 'on',
    label: 'Write a title',
    help: 'Whether a model writes the title after the first reply, in a separate small request.',
    options: [
      { value: 'on', label: 'On', detail: 'Writes a title, unless you have named the chat' },
      { value: 'off', label: 'Off', detail: 'The title is the first line of your first message' },
    ],
    with: {},
  },
  titleModel: {
    kind: 'otherModel',
    group: 'Titles',
    default: '',
    label: 'Model for titles',
    help: "The model that writes the title (provider/model). A small, cheap one is enough. Empty: the chat's own model.",
    with: {},
  },
} as const satisfies Readonly<Record<string, ChatSetting>>;

type Table = typeof CHAT_SETTINGS;
export type SettingName = keyof Table;

type ValueOf<S extends ChatSetting> = S extends { readonly kind: 'model' }
  ? ModelRef
  : S extends { readonly kind: 'choice' }
    ? S['options'][number]['value']
    : S extends { readonly kind: 'switch' }
      ? S['numbers'][number]['value'] | null
      : S extends { readonly kind: 'text' | 'agent' | 'otherModel' }
        ? string
        : S extends { readonly empty: string }
          ? number | null
          : number;

/** The settings of one chat. VS Code settings are only the defaults that are copied into a new chat. */
export type ChatConfig = { readonly [K in SettingName]: ValueOf<Table[K]> };

/** Places of cache breakpoints: none, on the system prompt, or on the system prompt and the conversation. */
export type CacheMode = ChatConfig['cacheMode'];

export type CacheLifetime = ChatConfig['cacheLifetime'];

/** A setting's value as plain JSON in VS Code's settings, the panel and the API. The value for a model is its key. */
export type SettingValue = string | number | null;

export const SETTING_NAMES = Object.keys(CHAT_SETTINGS) as readonly SettingName[];

/** Returns the row of a setting with a general type, for code that handles all settings the same way. */
export function settingOf(name: SettingName): ChatSetting {
  return CHAT_SETTINGS[name];
}
