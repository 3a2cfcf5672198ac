import type { SettingControl, SettingRow } from '../../../src/protocol/panel/settings.js';

const PICKS = 'Picked rules and skills';
const LAYOUT = 'Prompt layout and cache';
const SUMMARIES = 'Summaries';
const TOOLS = 'Tools';
const TITLES = 'Titles';

const anyNumber = (least: number, empty: string | null): SettingControl => ({
  kind: 'integer',
  least,
  most: null,
  empty,
  expected: `a whole number, ${String(least)} or more`,
});

const row = (
  [name, group, label]: readonly [string, string | null, string],
  help: string,
  [value, isChanged]: readonly [SettingRow['value'], boolean],
  control: SettingControl,
): SettingRow => ({ name, group, label, help, value, isChanged, control });

type Option = readonly [value: string, label: string, detail: string];

const choice = (...options: readonly Option[]): SettingControl => ({
  kind: 'choice',
  options: options.map(([value, label, detail]) => ({ value, label, detail })),
});

/** The models for tasks other than replies. */
const OTHER_MODELS = choice(
  ['', "The chat's model", 'The model that replies in this chat'],
  ['practice/small', 'Practice: Practice (8K window)', '8,192 tokens'],
);

/** Chat settings, at least one from each group. The user has changed two of them. */
export const SETTINGS: readonly SettingRow[] = [
  row(['model', null, 'Model'], 'The model that replies (provider/model).', ['practice/standard', false], { kind: 'model' }),
  row(
    ['cacheMode', null, 'Cache'],
    'Which part of a request the provider should cache. Compared with uncached text, writing text to the cache costs more, and reading it from the cache costs less.',
    ['cached', false],
    choice(
      ['all-off', 'Off', 'Marks nothing for caching'],
      ['system', 'System prompt only', 'Marks tools and system prompt for caching'],
      ['cached', 'Whole conversation', 'Marks the whole conversation for caching'],
    ),
  ),
  row(
    ['cacheLifetime', LAYOUT, 'Cache lifetime'],
    'How long the provider keeps cached content. A longer time costs more.',
    ['automatic', false],
    choice(
      ['automatic', 'Automatic', 'The longer lifetime, if it costs less with the pauses between messages'],
      ['5m', '5 minutes', 'Or the shortest lifetime, if the provider does not offer 5 minutes'],
      ['1h', '1 hour', 'Or the longest lifetime, if the provider does not offer 1 hour'],
    ),
  ),
  row(
    ['layout', LAYOUT, 'Prompt layout'],
    'The order of the content in a request. Providers reuse cached text only if all text before it is unchanged.',
    ['adaptive', false],
    choice(
      ['adaptive', 'Continue', 'Sent content stays in place. Changed files follow as differences. Costs the least'],
      ['plain', 'Files first', 'Current files, then the messages. Loupe sends a changed file again with everything after it'],
    ),
  ),
  row(
    ['agent', null, 'Agent'],
    "The name of an agent of the workspace. Loupe sends the agent's prompt in every request, before your system prompt.",
    ['', false],
    { kind: 'agent' },
  ),
  row(
    ['systemPrompt', null, 'System prompt'],
    'Your instructions. Loupe adds them to its system prompt in every request.',
    ['Answer in short sentences.', true],
    { kind: 'text', placeholder: 'Instructions for every request in this chat' },
  ),
  row(
    ['pickMinimum', PICKS, 'Least match for a pick'],
    'Loupe adds rules, references and skills that match your message by at least this percentage.',
    [45, true],
    anyNumber(1, null),
  ),
  row(
    ['pickMost', PICKS, 'Most picks for a message'],
    'The most rules, references and skills that Loupe adds to one message.',
    [5, true],
    anyNumber(0, null),
  ),
  row(
    ['workspaceTools', TOOLS, 'Workspace tools'],
    'Whether Loupe offers the model its own tools: list, read, search and edit files, and run commands. Loupe asks you before a tool runs.',
    ['on', false],
    choice(['on', 'On', 'Loupe offers these tools in a trusted folder'], ['off', 'Off', 'Requests do not contain these tools']),
  ),
  row(
    ['toolMemory', TOOLS, 'Tool memory'],
    'After how many turns Loupe removes tool calls and their results from requests. A turn ends with a reply that calls no tool. Pinned messages stay.',
    [1, true],
    {
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
  ),
  row(
    ['toolsLeave', TOOLS, 'Remove forgotten calls'],
    'When Loupe removes old (forgotten) tool calls from requests. The provider then writes everything after them to its cache again.',
    ['later', false],
    choice(
      ['later', 'When the prompt is rebuilt', 'As soon as the removal costs nothing or saves money'],
      ['now', 'At once', 'With the first request after the turns of Tool memory, even if this costs money'],
    ),
  ),
  row(
    ['maxPromptTokens', null, 'Context limit'],
    "The most tokens of a request and its reply together. Empty: the model's limit.",
    [null, false],
    anyNumber(1, 'Model limit'),
  ),
  row(
    ['reservedResponseTokens', null, 'Kept free for the reply'],
    'Tokens that Loupe keeps free for the reply. A reply can still be longer.',
    [512, false],
    anyNumber(0, null),
  ),
  row(
    ['summaryAsk', SUMMARIES, 'Ask each time'],
    'Whether Loupe asks before it summarizes a chat. Until you agree, Loupe does not send a message that exceeds the context limit.',
    ['off', false],
    choice(['off', 'Off', 'Loupe summarizes without asking'], ['on', 'On', 'Loupe suggests a summary in the chat']),
  ),
  row(['leastExchanges', SUMMARIES, 'Turns kept'], 'How many latest turns Loupe does not summarize.', [2, false], anyNumber(1, null)),
  row(
    ['topicModel', SUMMARIES, 'Model for topics'],
    "The model that finds where the topic changes (provider/model). Loupe summarizes up to that place. Empty: the chat's own model.",
    ['', false],
    OTHER_MODELS,
  ),
  row(
    ['titles', TITLES, 'Write a title'],
    'Whether a model writes the title of the chat after the first reply, in a separate small request.',
    ['on', false],
    choice(
      ['on', 'On', 'A model writes the title, unless you have named the chat'],
      ['off', 'Off', 'The title is the first line of your first message'],
    ),
  ),
  row(
    ['titleModel', TITLES, 'Model for titles'],
    "The model that writes the title of the chat (provider/model). A small, cheap model is enough. Empty: the chat's own model.",
    ['', false],
    OTHER_MODELS,
  ),
];
