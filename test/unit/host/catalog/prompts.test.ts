import assert from 'node:assert/strict';
import { readPrompts, type WorkspacePrompts } from '../../../../src/host/context/catalog/readPrompts.js';
import { catalogType } from '../../../../src/host/context/files/catalogPlaces.js';
import { columns } from '../../../support/columns.js';
import { readingOf, readerOf, textsOf, type Texts } from '../../../support/host/catalogReading.js';
import { readsOneBadAmongThreeGood } from '../../../support/oneBad.js';

function promptsAmong(texts: Texts): Promise<WorkspacePrompts> {
  const paths = Object.keys(texts).filter((path) => ['prompt', 'skill'].includes(catalogType(path) ?? ''));
  return readPrompts(
    paths.map((path) => ({ path, source: path, prefix: '', file: path })),
    readingOf(readerOf(texts)),
  );
}

/** A prompt file, and the name of the prompt. */
const PLACES = [
  ['.github/prompts/review.prompt.md', 'review'],
  ['.claude/commands/review.md', 'review'],
  ['.claude/commands/git/pr/review.md', 'git:pr:review'],
  ['.opencode/commands/review.md', 'review'],
  ['.opencode/command/team/review.md', 'team:review'],
  ['.factory/commands/review.md', 'review'],
  ['.cursor/commands/review.md', 'review'],
  ['.clinerules/workflows/review.md', 'review'],
  ['.windsurf/workflows/review.md', 'review'],
  ['web/.windsurf/workflows/review.md', 'review'],
  ['.agents/workflows/review.md', 'review'],
  ['.agent/workflows/review.md', 'review'],
  ['.roo/commands/review.md', 'review'],
  ['.continue/prompts/review.md', 'review'],
  ['.kilocode/workflows/review.md', 'review'],
  ['.augment/commands/review.md', 'review'],
] as const;

describe('a prompt file', () => {
  for (const [path, name] of PLACES) {
    it(`is read from the folder of its program: ${path}`, async () => {
      const { prompts, remarks } = await promptsAmong({ [path]: '---\ndescription: Reads a change\n---\nReview it.' });
      assert.deepEqual(columns(prompts, 'name', 'description', 'text', 'source'), [[name, 'Reads a change', 'Review it.', path]]);
      assert.deepEqual(remarks, []);
    });
  }

  for (const path of ['.github/prompts/review.md', '.claude/commands/review.txt', 'docs/.claude/commands/a.md', '.claude/command/a.md']) {
    it(`is not ${path}`, () => {
      assert.notEqual(catalogType(path), 'prompt');
    });
  }

  it('of VS Code can have another name', async () => {
    const text = '---\nname: check\n---\nReview it.';
    const { prompts } = await promptsAmong({ '.github/prompts/a.prompt.md': text, '.claude/commands/b.md': text });
    assert.deepEqual(columns(prompts, 'name'), [['check'], ['b']]);
  });

  it('is described by its first line if it has no description', async () => {
    const { prompts } = await promptsAmong({ '.clinerules/workflows/a.md': '# Make a release\n\n1. Build' });
    assert.deepEqual(columns(prompts, 'description'), [['Make a release']]);
  });

  for (const [head, hint] of [
    ['[issue]', '[issue]'],
    ['[pr] [priority] [assignee]', '[pr] [priority] [assignee]'],
    ['"[pr] | --all"', '[pr] | --all'],
    ['add <file> | remove <file>', 'add <file> | remove <file>'],
    ['', ''],
  ] as const) {
    it(`has the hint about its arguments as people write it: ${head}`, async () => {
      const { prompts } = await promptsAmong({ '.claude/commands/a.md': `---\nargument-hint: ${head}\n---\nFix $1.` });
      assert.deepEqual(columns(prompts, 'hint', 'remarks'), [[hint, []]]);
    });
  }

  it('has the agent, the models and the tools that it names', async () => {
    const { prompts } = await promptsAmong({
      '.github/prompts/a.prompt.md': "---\nagent: plan\nmodel: GPT-5\ntools: ['read', 'search']\n---\nA",
      '.github/prompts/b.prompt.md': '---\nmode: agent\nmodel: [GPT-5, inherit]\n---\nB',
      '.github/prompts/c.prompt.md': '---\nmode: ask\n---\nC',
    });
    assert.deepEqual(columns(prompts, 'agent', 'models', 'tools'), [
      ['plan', ['GPT-5'], '["read","search"]'],
      [null, ['GPT-5'], null],
      ['ask', [], null],
    ]);
  });

  it('has the names of its arguments, as a list or as words', async () => {
    const { prompts } = await promptsAmong({
      '.claude/commands/a.md': '---\narguments: [issue, branch]\n---\nA',
      '.claude/commands/b.md': '---\narguments: issue branch\n---\nB',
    });
    assert.deepEqual(columns(prompts, 'argumentNames'), [[['issue', 'branch']], [['issue', 'branch']]]);
  });

  it('of Gemini CLI is a TOML file, whose subfolders are in its name', async () => {
    const { prompts, remarks } = await promptsAmong({
      '.gemini/commands/git/commit.toml': 'description = "Writes a message"\nprompt = """\nFor {{args}}:\n!{git diff}\n"""\n',
      '.gemini/commands/plan.toml': "\uFEFFprompt = 'Make a plan.'",
      '.gemini/commands/notes.md': 'No prompt',
    });
    assert.deepEqual(columns(prompts, 'name', 'description', 'text', 'placeholders'), [
      ['git:commit', 'Writes a message', 'For {{args}}:\n!{git diff}', 'args'],
      ['plan', 'Make a plan.', 'Make a plan.', 'args'],
    ]);
    assert.deepEqual(remarks, []);
  });

  it('can be a skill, unless only the model may use it; its problems are those of the catalog', async () => {
    const { prompts, remarks } = await promptsAmong({
      '.claude/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Forms\nargument-hint: [file]\nagent: Explore\n---\nFill in $ARGUMENTS.',
      '.claude/skills/hidden/SKILL.md': '---\nname: hidden\nuser-invocable: false\n---\nHidden.',
      '.github/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Forms\n---\nFill in $ARGUMENTS.',
      '.github/skills/group/moon/SKILL.md': 'Full.',
      '.github/skills/empty/SKILL.md': '---\nname: empty\n---\n',
      '.agents/skills/gone/SKILL.md': null,
      '.cursor/commands/pdf.md': 'A command.',
    });
    assert.deepEqual(columns(prompts, 'name', 'isSkill', 'hint', 'agent'), [
      ['pdf', false, '', null],
      ['.claude/skills/pdf/SKILL.md', true, '[file]', null],
      ['group:moon', true, '', null],
    ]);
    assert.deepEqual(remarks, []);
  });

  it('has its path as name if another prompt has the name, and is listed once if the text is the same', async () => {
    const { prompts } = await promptsAmong({
      '.agents/workflows/review.md': 'Review $ARGUMENTS.',
      '.claude/commands/review.md': 'Review $ARGUMENTS.',
      '.cursor/commands/review.md': 'Review it well.',
      '.cursor/commands/other.md': 'Review it well.',
    });
    assert.deepEqual(columns(prompts, 'name', 'source', 'placeholders'), [
      ['review', '.claude/commands/review.md', 'dollar'],
      ['.cursor/commands/review.md', '.cursor/commands/review.md', null],
      ['other', '.cursor/commands/other.md', null],
    ]);
  });
});

describe('a list of prompt files', () => {
  readsOneBadAmongThreeGood({
    good: (name) => ({ path: `.claude/commands/${name}.md`, text: `---\ndescription: About ${name}\n---\n${name} $1.` }),
    bad: Object.fromEntries(
      Object.entries({
        'an alias': '---\ndescription: *a\n---\nBad.',
        'an open quotation': '---\ndescription: "a\n---\nBad.',
        'no keys': '---\n- a\n---\nBad.',
        'a key twice': '---\ndescription: a\ndescription: b\n---\nBad.',
        'no text': '---\ndescription: a\n---\n\n',
        'a missing file': null,
      }).map(([kind, text]) => [kind, { path: '.claude/commands/bad.md', text }]),
    ),
    read: async (files) => {
      const { prompts, remarks } = await promptsAmong(Object.fromEntries(files.map(({ path, text }) => [path, text])));
      const said = [...textsOf(remarks), ...prompts.flatMap((prompt) => prompt.remarks)];
      return { values: new Map(prompts.map((prompt) => [prompt.name, prompt])), said };
    },
    named: '.claude/commands/bad.md',
  });
});

describe('a list of TOML commands', () => {
  readsOneBadAmongThreeGood({
    good: (name) => ({ path: `.gemini/commands/${name}.toml`, text: `description = "About ${name}"\nprompt = "${name} {{args}}"` }),
    bad: Object.fromEntries(
      Object.entries({
        'an open quotation': 'prompt = "a',
        'a key twice': 'prompt = "a"\nprompt = "b"',
        'no prompt': 'description = "a"',
        'a number as prompt': 'prompt = 7',
        'an empty prompt': 'prompt = "  "',
        Markdown: '# Title\n\nText.',
        'a missing file': null,
      }).map(([kind, text]) => [kind, { path: '.gemini/commands/bad.toml', text }]),
    ),
    read: async (files) => {
      const { prompts, remarks } = await promptsAmong(Object.fromEntries(files.map(({ path, text }) => [path, text])));
      return { values: new Map(prompts.map((prompt) => [prompt.name, prompt])), said: textsOf(remarks) };
    },
    named: '.gemini/commands/bad.toml',
  });

  it('names the line of an error', async () => {
    const { remarks } = await promptsAmong({ '.gemini/commands/a.toml': 'description = "a"\nprompt = b' });
    assert.match(textsOf(remarks).join(), /^\.gemini\/commands\/a\.toml is not valid TOML, line 2: .+\. Loupe cannot use the file\.$/);
  });
});
