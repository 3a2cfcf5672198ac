import type { SettingControl, SettingRow } from '../../../src/protocol/settings.js';

const PICKS = 'Picked rules and skills';
const LAYOUT = 'Prompt layout and cache';
const SUMMARIES = 'Summaries';
const TOOLS = 'Tools';

const anyNumber = (least: number, empty: string | null): SettingControl => ({
  kind: 'integer',
  least,
  most: null,
  empty,
  expected: `a whole number, ${String(least)} or more`,
});

/** Some settings of a chat of each group, two of them changed. */
export const SETTINGS: readonly SettingRow[] = [
  {
    name: 'model',
    group: null,
    label: 'Model',
    help: 'The model that replies (provider/model).',
    value: 'practice/standard',
    isChanged: false,
    control: { kind: 'model' },
  },
  {
    name: 'cacheMode',
    group: null,
    label: 'Cache',
    help: 'How much of the prompt is cached. Text is billed at a higher price the first time, and at a lower one each time it is repeated.',
    value: 'cached',
    isChanged: false,
    control: {
      kind: 'choice',
      options: [
        { value: 'all-off', label: 'Off', detail: 'Marks nothing for caching' },
        { value: 'system', label: 'System prompt only', detail: 'Marks tools and system prompt for caching' },
        { value: 'cached', label: 'Whole conversation', detail: 'Marks the whole conversation for caching' },
      ],
    },
  },
  {
    name: 'layout',
    group: LAYOUT,
    label: 'Prompt layout',
    help: 'The order of a request. Providers only reuse (and discount) text that has not moved since the previous request.',
    value: 'adaptive',
    isChanged: false,
    control: {
      kind: 'choice',
      options: [
        { value: 'adaptive', label: 'Continue', detail: 'What was sent stays; files that change follow as differences. Costs the least' },
        {
          value: 'plain',
          label: 'Files first',
          detail: 'Files as they are now, then the messages. A changed file is sent with all behind it',
        },
      ],
    },
  },
  {
    name: 'agent',
    group: null,
    label: 'Agent',
    help: 'An agent profile of the workspace, by its name: its prompt is sent in every request, before your system prompt.',
    value: '',
    isChanged: false,
    control: { kind: 'agent' },
  },
  {
    name: 'systemPrompt',
    group: null,
    label: 'System prompt',
    help: 'Your instructions. Loupe adds them to its system prompt in every request.',
    value: 'Answer in short sentences.',
    isChanged: true,
    control: { kind: 'text', placeholder: 'Instructions for every request in this chat' },
  },
  {
    name: 'pickMinimum',
    group: PICKS,
    label: 'Least match for a pick',
    help: 'How well a rule, reference or skill must match your message to be added to it, in percent.',
    value: 45,
    isChanged: true,
    control: anyNumber(1, null),
  },
  {
    name: 'pickMost',
    group: PICKS,
    label: 'Most picks for a message',
    help: 'How many rules, references and skills are added to one message.',
    value: 5,
    isChanged: true,
    control: anyNumber(0, null),
  },
  {
    name: 'toolMemory',
    group: TOOLS,
    label: 'Tool memory',
    help: 'When requests leave out earlier tool calls with their results. A turn ends with a reply that calls no tool; pinned messages stay.',
    value: 1,
    isChanged: true,
    control: {
      kind: 'switch',
      on: 1,
      turnsOn: 'Forget old tool calls',
      off: 'Always remember',
      numbers: [
        { value: 0, label: 'Immediately', detail: 'forget immediately' },
        { value: 1, label: 'After 1 turn', detail: 'forget after 1 turn' },
        { value: 2, label: 'After 2 turns', detail: 'forget after 2 turns' },
      ],
    },
  },
  {
    name: 'toolsLeave',
    group: TOOLS,
    label: 'Forgotten calls leave',
    help: 'When forgotten tool calls leave a prompt that continues. Without them, all that follows them is written to the cache again.',
    value: 'later',
    isChanged: false,
    control: {
      kind: 'choice',
      options: [
        {
          value: 'later',
          label: 'When the prompt is laid out anew',
          detail: 'Stays in the cache until that costs nothing or pays',
        },
        { value: 'now', label: 'At once', detail: 'With the first request after their turns, whatever that costs' },
      ],
    },
  },
  {
    name: 'maxPromptTokens',
    group: null,
    label: 'Context limit',
    help: "Context limit in tokens, including those left free for the reply. Empty: the model's limit.",
    value: null,
    isChanged: false,
    control: anyNumber(1, 'Model limit'),
  },
  {
    name: 'reservedResponseTokens',
    group: null,
    label: 'Kept free for the reply',
    help: 'Tokens left free for the reply. This does not limit its length.',
    value: 512,
    isChanged: false,
    control: anyNumber(0, null),
  },
  {
    name: 'summaryAsk',
    group: SUMMARIES,
    label: 'Ask each time',
    help: 'Whether Loupe asks before it summarizes a chat. Until you agree, a message that does not fit is not sent.',
    value: 'off',
    isChanged: false,
    control: {
      kind: 'choice',
      options: [
        { value: 'off', label: 'Off', detail: 'Summarizes by itself' },
        { value: 'on', label: 'On', detail: 'Says in the chat that a summary is due' },
      ],
    },
  },
  {
    name: 'leastExchanges',
    group: SUMMARIES,
    label: 'Exchanges kept',
    help: 'How many of your latest messages, with their replies, are kept word for word.',
    value: 2,
    isChanged: false,
    control: anyNumber(1, null),
  },
];
