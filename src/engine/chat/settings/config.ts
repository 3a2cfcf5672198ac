import type { ModelRef } from '../../model/modelRef.js';
import { EDITOR_SETTINGS } from './editorSettings.js';
import { REPOSITORY_SETTINGS } from './repositorySettings.js';
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
    help: 'The model that replies to your messages (provider/model). The built-in practice model works offline, needs no key and is free.',
    with: {},
  },
  cacheMode: {
    kind: 'choice',
    group: null,
    default: 'cached',
    label: 'Cache',
    help: 'Which part of a request the provider should cache. Compared with uncached text, writing text to the cache costs more, and reading it from the cache costs less.',
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
    help: 'How long the provider keeps cached content. A longer time costs more.',
    options: [
      { value: 'automatic', label: 'Automatic', detail: 'The longer lifetime, if it costs less with the pauses between messages' },
      { value: '5m', label: '5 minutes', detail: 'Or the shortest lifetime, if the provider does not offer 5 minutes' },
      { value: '1h', label: '1 hour', detail: 'Or the longest lifetime, if the provider does not offer 1 hour' },
    ],
    with: { cacheMode: ['system', 'cached'] },
  },
  layout: {
    kind: 'choice',
    group: 'Prompt layout and cache',
    default: 'adaptive',
    label: 'Prompt layout',
    help: 'The order of the content in a request. Providers reuse cached text only if all text before it is unchanged.',
    options: [
      { value: 'adaptive', label: 'Continue', detail: 'Sent content stays in place. Changed files follow as differences. Costs the least' },
      {
        value: 'tiered',
        label: 'By stability',
        detail: 'Content that stays unchanged for the longest time comes first, in up to four cached tiers. Newer content is not cached',
      },
      { value: 'message-70', label: 'First 70%', detail: 'Files first. Caches the first 70% of the messages. If you edit messages often' },
      {
        value: 'plain',
        label: 'Files first',
        detail: 'Current files, then the messages. Loupe sends a changed file again with everything after it',
      },
    ],
    with: { cacheMode: ['cached'] },
  },
  fileChanges: {
    kind: 'choice',
    group: 'Prompt layout and cache',
    default: 'differences',
    label: 'Changed files',
    help: 'How Loupe sends a file again after the file has changed.',
    options: [
      { value: 'differences', label: 'What has changed', detail: 'As a list of changed lines, if the list is shorter than the file' },
      { value: 'copies', label: 'The whole file', detail: 'The whole file again, for models that misread lists of changed lines' },
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
    help: "The layout tiered caches a request in sections (tiers). Loupe keeps at least this number of tokens in each tier. Empty: the provider's minimum.",
    with: { cacheMode: ['cached'], layout: ['tiered'] },
  },
  agent: {
    kind: 'agent',
    group: null,
    default: '',
    label: 'Agent',
    help: "The name of an agent of the workspace. Loupe sends the agent's prompt in every request, before your system prompt.",
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
    help: 'Loupe adds rules, references and skills that match your message by at least this percentage.',
    with: {},
  },
  pickMost: {
    ...NUMBER,
    group: 'Picked rules and skills',
    default: 3,
    minimum: 0,
    label: 'Most picks for a message',
    help: 'The most rules, references and skills that Loupe adds to one message.',
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
    help: 'Loupe always adds rules, references and skills that match by at least this percentage, even if this exceeds the maximum number for one message. Empty: never.',
    with: {},
  },
  pickCandidates: {
    ...NUMBER,
    group: 'Picked rules and skills',
    default: 20,
    minimum: 1,
    label: 'Candidates looked at',
    help: 'How many of the best matching rules, references and skills Loupe considers for each message.',
    with: {},
  },
  workspaceTools: {
    kind: 'choice',
    group: 'Tools',
    default: 'on',
    label: 'Workspace tools',
    help: 'Whether Loupe offers the model its own tools: list, read, search and edit files, keep session files, and run commands. Loupe asks you before a tool runs.',
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
    help: 'After how many turns Loupe removes tool calls and their results from requests. A turn ends with a reply that calls no tool. Pinned messages stay.',
    with: {},
  },
  toolsLeave: {
    kind: 'choice',
    group: 'Tools',
    default: 'later',
    label: 'Remove forgotten calls',
    help: 'When Loupe removes old (forgotten) tool calls from requests. The provider then writes everything after them to its cache again.',
    options: [
      { value: 'later', label: 'When the prompt is rebuilt', detail: 'As soon as the removal costs nothing or saves money' },
      { value: 'now', label: 'At once', detail: 'With the first request after the turns of Tool memory, even if this costs money' },
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
    help: "The most tokens of a request, with the tokens kept free for its reply. Empty: the model's limit.",
    with: {},
  },
  reservedResponseTokens: {
    kind: 'integer',
    group: null,
    default: 512,
    minimum: 0,
    empty: null,
    most: { setting: 'maxPromptTokens', less: 1 },
    label: 'Kept free for the reply',
    help: 'Tokens that Loupe keeps free for the reply. A reply can still be longer.',
    with: {},
  },
  ...SUMMARY_SETTINGS,
  titles: {
    kind: 'choice',
    group: 'Titles',
    default: 'on',
    label: 'Write a title',
    help: 'Whether a model writes the title of the chat after the first reply, in a separate small request.',
    options: [
      { value: 'on', label: 'On', detail: 'A model writes the title, unless you have named the chat' },
      { value: 'off', label: 'Off', detail: 'The title is the first line of your first message' },
    ],
    with: {},
  },
  titleModel: {
    kind: 'otherModel',
    group: 'Titles',
    default: '',
    label: 'Model for titles',
    help: "The model that writes the title of the chat (provider/model). A small, cheap model is enough. Empty: the chat's own model.",
    with: {},
  },
  ...EDITOR_SETTINGS,
  ...REPOSITORY_SETTINGS,
  repeatedContent: {
    kind: 'choice',
    group: 'Prompt layout and cache',
    default: 'references',
    label: 'Repeated tool results',
    help: 'How Loupe sends a tool result that repeats earlier content of the same request. A change to references rebuilds the prompt.',
    options: [
      {
        value: 'references',
        label: 'As a reference',
        detail: 'A reference to the earlier content, with the changed lines if a part has changed. The model can ask for the full text',
      },
      { value: 'full', label: 'In full', detail: 'The whole result again, for models that ignore earlier content' },
    ],
    with: {},
  },
  whileAway: {
    kind: 'choice',
    group: 'Prompt layout and cache',
    default: 'ask',
    label: 'Before the cache expires',
    help: 'What Loupe does when the cache of a chat is about to expire and a cold start would cost more than a summary or keeping the cache warm.',
    options: [
      { value: 'ask', label: 'Ask', detail: 'Loupe offers what pays, with prices. It sends nothing until you agree' },
      { value: 'automatic', label: 'Automatic', detail: 'Loupe does what costs the least, up to the limit. Above the limit, it asks' },
      { value: 'off', label: 'Off', detail: 'Loupe offers nothing, and the cache expires' },
    ],
    with: {},
  },
  whileAwayLimit: {
    ...NUMBER,
    group: 'Prompt layout and cache',
    default: 50,
    minimum: 1,
    label: 'Limit per day, in cents',
    help: 'How many US cents summaries and keeping the cache warm may cost in one chat on one day without asking.',
    with: { whileAway: ['automatic'] },
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
