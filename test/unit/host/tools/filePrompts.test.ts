import assert from 'node:assert/strict';
import type { ChatConfig } from '../../../../src/engine/chat/settings/config.js';
import type { AgentProfiles } from '../../../../src/engine/context/agentProfile.js';
import { readProfiles } from '../../../../src/host/context/catalog/readProfiles.js';
import type { WorkspacePrompt } from '../../../../src/host/context/catalog/readPrompts.js';
import type { ActiveFile } from '../../../../src/host/context/editorState/editorSource.js';
import { filePrompt, type PromptText } from '../../../../src/host/tools/prompts/filePrompt.js';
import type { FilledBlanks } from '../../../../src/host/tools/prompts/fillBlanks.js';
import { blanksIn } from '../../../../src/host/tools/prompts/placeholders.js';
import { PromptFinder } from '../../../../src/host/tools/prompts/promptFinder.js';
import { promptOffers } from '../../../../src/host/tools/prompts/promptOffers.js';
import { promptVariables } from '../../../../src/host/tools/prompts/promptVariables.js';
import type { Mentions } from '../../../../src/protocol/panel/toWebview.js';
import { PRACTICE_STANDARD } from '../../../../src/providers/practice/models.js';
import { type Action, ScriptedWizard, cancel, type } from '../providers/scriptedWizard.js';
import { column, columns } from '../../../support/columns.js';
import { readerOf, readingOf } from '../../../support/host/catalogReading.js';
import { noCommands } from '../../../support/host/noCommands.js';
import { DEFAULTS } from '../../../support/host/window.js';
import { rejection } from '../../../support/rejection.js';

const prompt = (text: string, change: Partial<WorkspacePrompt>): WorkspacePrompt => ({
  ...{ name: 'review', source: '.claude/commands/review.md', description: 'Reads a change', hint: '', argumentNames: [], prefix: '' },
  ...{ isSkill: false, text, placeholders: 'dollar', agent: null, models: [], tools: null, remarks: [] },
  ...change,
});

const braces = (text: string): WorkspacePrompt => prompt(text, { placeholders: 'braces' });

const OPEN: ActiveFile = {
  ...{ path: 'src/tide.model.ts', withheld: null, visible: null },
  selection: { lines: [2, 3], text: 'high\nlow', isCut: false },
};

const filled = (of: WorkspacePrompt, values: FilledBlanks, active: ActiveFile | null): PromptText =>
  filePrompt(of, { filled: values, variables: promptVariables(active, '/home/sea/tides'), found: { files: [], problems: [] } });

describe('the placeholders of a prompt file', () => {
  for (const [of, names] of [
    [prompt('Fix $ARGUMENTS, then $ARGUMENTS.', {}), ['Arguments']],
    [prompt('Merge $1 into $2. $ARGUMENTS[0]! $0', {}), ['$1', '$2', '$ARGUMENTS[0]', '$0']],
    [prompt('It costs $1.50 or $10, in $PATH, `$ARGUMENTS_X`, $$.', {}), []],
    [prompt('Close $issue on $branch in $PATH.', { argumentNames: ['issue', 'branch'] }), ['$issue', '$branch']],
    [prompt('${input:name}', {}), []],
    [braces('Make ${input:name} for ${input:type:kind of form}, ${file}, ${other}, $1. ${input:name}'), ['name', 'type']],
    [prompt('Fix $1 and ${input:name}.', { placeholders: null }), []],
    [prompt('Fix {{args}}, then {{args}}, not $1 and {{ args }}.', { placeholders: 'args' }), ['Arguments']],
    [prompt('Fix $ARGUMENTS.', { placeholders: 'args' }), []],
  ] as const) {
    it(`are asked for once each: ${of.text}`, () => {
      assert.deepEqual(column(blanksIn(of), 'name'), names);
    });
  }

  it('are described by the hint of the prompt, or by their own placeholder', () => {
    assert.deepEqual(columns(blanksIn(prompt('$1', { hint: '[issue]' })), 'name', 'description'), [['$1', '[issue]']]);
    assert.deepEqual(columns(blanksIn(braces('${input:a:kind of form} ${input:b:}')), 'name', 'description'), [
      ['a', 'kind of form'],
      ['b', null],
    ]);
  });

  it('get the values of the user, in which other placeholders stay', () => {
    assert.deepEqual(filled(prompt('Merge $1 into $2.', {}), { $1: '$2', $2: 'main' }, null).text, 'Merge $2 into main.');
    assert.equal(filled(braces('Make ${input:a}${input:b}.'), { a: '${input:b}$&', b: '!' }, null).text, 'Make ${input:b}$&!.');
  });

  it('stay and are named without a value, but $ARGUMENTS becomes empty', () => {
    const of = prompt('Merge $1 into $2 $ARGUMENTS.', {});
    const { text, notes } = filled(of, { $1: 'a' }, null);
    assert.deepEqual([text, notes], ['Merge a into $2 .', ['Not filled in: $2 (no value).']]);
    assert.deepEqual(filled(braces('${input:constructor}'), {}, null).notes, ['Not filled in: ${input:constructor} (no value).']);
  });

  it('of VS Code get what the editor shows, with workspace paths', () => {
    const names = ['workspaceFolder', 'workspaceFolderBasename', 'file', 'fileBasename', 'fileBasenameNoExtension', 'fileDirname'];
    const { text, notes } = filled(braces([...names, 'selection', 'selectedText'].map((name) => `\${${name}}`).join('|')), {}, OPEN);
    assert.deepEqual(text.split('|'), [
      ...['/home/sea/tides', 'tides', 'src/tide.model.ts', 'tide.model.ts', 'tide.model', 'src', 'high\nlow', 'high\nlow'],
    ]);
    assert.deepEqual(notes, []);
  });

  for (const [active, note] of [
    [null, '${file} (no file is open), ${selection} (no file is open)'],
    [{ ...OPEN, selection: null }, '${selection} (no text is selected)'],
    [{ ...OPEN, withheld: 'secret' }, '${selection} (it may contain secrets)'],
    [
      { ...OPEN, withheld: 'outside' },
      '${file} (the open file is not in this workspace), ${selection} (the open file is not in this workspace)',
    ],
    [{ ...OPEN, selection: { lines: [1, 9], text: 'x', isCut: true } }, '${selection} (too much text is selected)'],
  ] as const) {
    it(`of VS Code that Loupe cannot fill in stay and are named: ${note}`, () => {
      const { text, notes } = filled(braces('Explain ${file}: ${selection}'), {}, active);
      assert.match(text, /\$\{selection\}$/);
      assert.deepEqual(notes, [`Not filled in: ${note}.`]);
    });
  }
});

describe('a prompt file in the message box', () => {
  it('comes with what Loupe does not do: commands, and a limit of tools', () => {
    const text = 'Status: !`git status`\n!`a` !`b` !`c`. Use `!important`.';
    const named = { agent: 'plan', models: ['opus'] };
    const { notes, names } = filled(prompt(text, { ...named, tools: 'Bash', remarks: ['Line 2 is odd.'] }), {}, null);
    assert.deepEqual(notes, [
      'Loupe does not run commands of prompts: !`git status`, !`a`, !`b` and 1 more.',
      'Loupe does not limit the tools for a prompt: Bash.',
      'Line 2 is odd.',
    ]);
    assert.deepEqual(names, named);
    assert.deepEqual(filled(prompt('Status: !`git status`', { placeholders: null }), {}, null).notes, []);
  });

  it('offers the agent and the model that it names, unless the chat has them', async () => {
    const made = filled(prompt('Plan', { agent: 'plan', models: ['sonnet'] }), {}, null);
    const sonnet = { ...PRACTICE_STANDARD, ref: { provider: 'house', model: 'claude-sonnet-4-5' }, label: 'Sonnet' };
    const offers = async (config: Partial<ChatConfig>, agents: AgentProfiles): Promise<unknown> => {
      const models = { list: () => [sonnet], ready: () => Promise.resolve() };
      const chat = { chatId: 'chat', config: { ...DEFAULTS, ...config } };
      const found = await promptOffers(made, chat, { models, catalog: { profiles: () => Promise.resolve(agents) } });
      return found.map(({ text, action }) => [text, action?.action, action?.argument]);
    };
    const path = '.claude/agents/plan.md';
    const agents = await readProfiles([{ path, source: path, prefix: '', file: path }], readingOf(readerOf({ [path]: 'You plan.' })));
    assert.deepEqual(await offers({}, agents), [
      ['The prompt review names the agent plan.', 'useAgent', 'chat plan'],
      ['The prompt review names the model sonnet. Loupe has Sonnet (house).', 'useModel', 'chat house/claude-sonnet-4-5'],
    ]);
    assert.deepEqual(await offers({ model: sonnet.ref }, new Map()), [
      ['The prompt review names the agent plan, which Loupe does not have.', undefined, undefined],
    ]);
    assert.deepEqual(await offers({ agent: 'plan', model: sonnet.ref }, agents), []);
  });

  it('of Gemini CLI runs no command: the text keeps it, and a note names it', () => {
    const of = prompt('Sum up:\n!{git log --format={x} | head}\nFor {{args}}. !{open', { placeholders: 'args' });
    const { text, notes } = filled(of, { Arguments: 'tides' }, null);
    assert.equal(text, 'Sum up:\n!{git log --format={x} | head}\nFor tides. !{open');
    assert.deepEqual(notes, ['Loupe does not run commands of prompts: !{git log --format={x} | head}.']);
  });

  it('of a skill names the file, because the skill refers to other files of its folder', () => {
    const of = prompt('See forms.md for $ARGUMENTS.', { name: 'pdf', isSkill: true, source: '.claude/skills/pdf/SKILL.md' });
    assert.equal(filled(of, { Arguments: 'a.pdf' }, null).text, '# Skill: pdf (.claude/skills/pdf/SKILL.md)\n\nSee forms.md for a.pdf.');
  });

  const told: Mentions[] = [];
  const finder = (files: readonly WorkspacePrompt[], ...script: readonly Action[]): PromptFinder =>
    new PromptFinder({
      configured: () => Promise.resolve(),
      servers: () => [],
      files: () => Promise.resolve(files),
      read: (path) => readerOf({ 'src/a.ts': '', 'docs/b.md': '' })(path),
      variables: () => Promise.resolve(promptVariables(OPEN, null)),
      clock: { now: () => 0, sleep: () => Promise.resolve() },
      tell: (mentions) => told.push(mentions),
      questions: new ScriptedWizard(script),
      failed: (_, error) => assert.fail(error),
      slowly: () => Promise.reject(new Error('A file needs no server.')),
    });

  it('is found by its name, with tokens, hint, description and path', async () => {
    const path = '.cursor/commands/review.md';
    const files = [prompt('Review $1.'.repeat(4), { hint: '[pr]' }), prompt('Review', { name: path, source: path, description: '' })];
    await finder(files).find('revi', noCommands);
    assert.deepEqual(columns(told.at(-1)?.rows, 'key', 'kind', 'name', 'tokens', 'about'), [
      ['promptFile:.claude/commands/review.md', 'prompt', 'review', 10, '[pr] · Reads a change · .claude/commands/review.md'],
      [`promptFile:${path}`, 'prompt', path, 2, ''],
    ]);
    await finder(files).find('rw', noCommands);
    assert.deepEqual(told.at(-1)?.rows, []);
  });

  for (const [of, files, note] of [
    [
      {
        ...braces('See [a](../../src/a.ts#L2), #file:../../docs/b.md, [x](gone.md), [w](https://a.b), `[c](../../docs/c.md)`.'),
        source: '.github/prompts/a.prompt.md',
      },
      ['src/a.ts', 'docs/b.md'],
      'Not added to the chat: .github/prompts/gone.md does not exist.',
    ],
    [
      prompt('See @src/a.ts and @docs/b.md, @src/a.ts, @someone, `@docs/c.md`, @gone/x.md.', {}),
      ['src/a.ts', 'docs/b.md'],
      'Not added to the chat: gone/x.md does not exist.',
    ],
    [prompt('See @src/a.ts.', { placeholders: null }), [], null],
    [
      prompt('See @{src/a.ts}, @{ docs/b.md }, @{gone.md} and @src/a.ts, @{open.', { placeholders: 'args' }),
      ['src/a.ts', 'docs/b.md'],
      'Not added to the chat: gone.md does not exist.',
    ],
  ] as const) {
    it(`comes with the files that it refers to, outside of code: ${of.text}`, async () => {
      const made = await finder([of]).fill(`promptFile:${of.source}`);
      assert.deepEqual([made?.text, made?.files, made?.notes], [of.text, files, note === null ? [] : [note]]);
    });
  }

  it('has what the user answers; a cancel takes nothing, and a deleted file is named', async () => {
    const files = [prompt('Merge $1 into $2.', {})];
    const key = 'promptFile:.claude/commands/review.md';
    assert.equal((await finder(files, type('a'), type('main')).fill(key))?.text, 'Merge a into main.');
    assert.equal(await finder(files, type('a'), cancel).fill(key), null);
    assert.match((await rejection(finder([]).fill(key))).message, /no longer exists/);
    const long = [prompt('x'.repeat(1_000_001), {})];
    assert.match((await rejection(finder(long).fill(key))).message, /"review" is too long/);
  });
});
