import assert from 'node:assert/strict';
import { catalogType } from '../../../../src/host/context/files/catalogPlaces.js';
import { columns } from '../../../support/columns.js';
import { itemAt, itemsAmong, itemsAmongLinks, textsOf } from '../../../support/host/catalogReading.js';
import { readsOneBadAmongThreeGood } from '../../../support/oneBad.js';

/** A rule file, its front matter, and when requests contain it. */
const MODES = [
  ['.claude/rules/a.md', '', 'always'],
  ['.claude/rules/sub/a.md', 'paths: src/**', 'agent'],
  ['.claude/rules/a.md', 'paths: "**/*"', 'always'],
  ['CLAUDE.local.md', '', 'always'],
  ['.cursor/rules/a.md', 'alwaysApply: true', 'always'],
  ['.cursor/rules/a.md', 'globs: *.ts', 'agent'],
  ['web/.cursor/rules/a.mdc', 'alwaysApply: true', 'agent'],
  ['.cline/rules/a.md', '', 'always'],
  ['.windsurfrules', '', 'always'],
  ['.windsurf/rules/a.md', '', 'always'],
  ['.windsurf/rules/a.md', 'trigger: always_on', 'always'],
  ['.windsurf/rules/a.md', 'trigger: glob\nglobs: *.ts', 'agent'],
  ['.windsurf/rules/a.md', 'trigger: model_decision\ndescription: Styles', 'agent'],
  ['.windsurf/rules/a.md', 'trigger: manual', 'manual'],
  ['.agents/rules/a.md', 'trigger: always_on', 'always'],
  ['.agent/rules/a.md', 'trigger: manual', 'manual'],
  ['.kiro/steering/a.md', '', 'always'],
  ['.kiro/steering/a.md', 'inclusion: always', 'always'],
  ['.kiro/steering/a.md', 'inclusion: fileMatch\nfileMatchPattern: *.ts', 'agent'],
  ['.kiro/steering/a.md', 'inclusion: auto\nname: styles\ndescription: Styles', 'agent'],
  ['.kiro/steering/a.md', 'inclusion: manual', 'manual'],
  ['GEMINI.md', '', 'always'],
  ['web/GEMINI.md', '', 'agent'],
  ['.roorules', '', 'always'],
  ['.roo/rules/sub/a.md', '', 'always'],
  ['.roo/rules/a.txt', '', 'always'],
  ['.roo/rules-code/a.md', '', 'manual'],
  ['.roo/rules-code/1_workflow.xml', '', 'manual'],
  ['.roo/rules/rules-code.md', '', 'always'],
  ['.kilocode/rules/a.md', '', 'always'],
  ['.kilocode/rules-architect/a.md', '', 'manual'],
  ['.continue/rules/a.md', 'name: Styles', 'always'],
  ['.continue/rules/a.md', 'alwaysApply: true\nglobs: *.ts', 'always'],
  ['.continue/rules/a.md', 'globs: *.ts', 'agent'],
  ['.continue/rules/a.md', 'alwaysApply: false\ndescription: Styles', 'agent'],
  ['.continue/rules/a.md', 'alwaysApply: false', 'manual'],
  ['.junie/guidelines.md', '', 'always'],
  ['.trae/rules/project_rules.md', '', 'always'],
  ['.trae/rules/a.md', 'alwaysApply: false\nglobs: *.ts', 'agent'],
  ['.trae/rules/a.md', 'alwaysApply: true', 'always'],
  ['.amazonq/rules/a.md', '', 'always'],
  ['.augment-guidelines', '', 'always'],
  ['.augment/rules/a.md', '', 'always'],
  ['.augment/rules/a.md', 'type: always_apply', 'always'],
  ['.augment/rules/a.md', 'type: agent_requested\ndescription: Styles', 'agent'],
  ['.augment/rules/a.md', 'type: manual', 'manual'],
  ['.rules', '', 'always'],
  ['WARP.md', '', 'always'],
  ['web/WARP.md', '', 'agent'],
  ['AGENTS.override.md', '', 'always'],
] as const;

describe('a rule of another program', () => {
  for (const [path, head, include] of MODES) {
    it(`is ${include}: ${path}${head === '' ? '' : ` with ${JSON.stringify(head)}`}`, async () => {
      const item = await itemAt(path, head === '' ? 'Body.' : `---\n${head}\n---\nBody.`);
      assert.deepEqual([item.type, item.include, item.text, item.remarks], ['rule', include, 'Body.', []]);
    });
  }

  for (const [path, head, matching, others] of [
    ['.claude/rules/a.md', 'paths: src/**/*.ts', ['src/a.ts', 'src/b/c.ts'], ['web/src/a.ts']],
    ['.claude/rules/a.md', 'paths: "*.md"', ['README.md'], ['docs/a.md']],
    ['.windsurf/rules/a.md', 'trigger: glob\nglobs: *.ts, src/**', ['a.ts', 'web/a.ts', 'src/a.css'], ['web/src/a.css']],
    [
      '.kiro/steering/a.md',
      'inclusion: fileMatch\nfileMatchPattern: ["*.tsx", "app/api/**/*"]',
      ['web/a.tsx', 'app/api/b'],
      ['web/app/api/b'],
    ],
    ['web/.cursor/rules/a.mdc', 'alwaysApply: true', ['web/a', 'web/b/c'], ['a', 'api/a']],
    ['web/.cursor/rules/a.mdc', 'globs: src/**, web/lib/*.ts', ['web/src/a', 'web/lib/a.ts'], ['src/a', 'web/a']],
    ['packages/ui/.claude/rules/a.md', 'paths: src/**', ['packages/ui/src/a.ts'], ['src/a.ts', 'packages/ui/test/src/a.ts']],
    ['.github/workflows/AGENTS.md', '', ['.github/workflows/ci.yml'], ['workflows/ci.yml', '.github/labels.yml']],
    ['packages/ui/GEMINI.md', '', ['packages/ui/a'], ['packages/a']],
  ] as const) {
    it(`is for the files that its program documents: ${path} with ${JSON.stringify(head)}`, async () => {
      const { applies } = await itemAt(path, `---\n${head}\n---\nBody.`);
      const matches = (file: string): boolean => applies?.matches(file, null) === true;
      assert.deepEqual(matching.filter(matches), matching);
      assert.deepEqual(others.filter(matches), []);
    });
  }

  for (const path of [
    '.clinerules/workflows/release.md',
    '.clinerules/hooks/x.md',
    '.clinerules/skills/x/notes.md',
    '.roo/commands/a.md',
    '.roo/rules/a.log',
    '.roo/rules/Thumbs.db',
    '.roo/guidance/a.md',
    'web/.agents/skills/pdf/AGENTS.md',
    '.kilocode/workflows/a.md',
    '.claude/commands/a.md',
    '.claude/worktrees/x/AGENTS.md',
    '.githubx/AGENTS.md',
    '.windsurf/workflows/a.md',
    'docs/rules/a.md',
    'a.rules',
    'web/.rules',
  ]) {
    it(`is not ${path}`, () => {
      assert.notEqual(catalogType(path), 'rule');
    });
  }

  it('is replaced by an AGENTS.override.md in the same folder, unless that is empty', async () => {
    const items = await itemsAmong({
      'AGENTS.md': 'Old.',
      'AGENTS.override.md': 'New.',
      'web/AGENTS.md': 'Web.',
      'web/AGENTS.override.md': '',
      'api/AGENTS.md': 'API.',
    });
    assert.deepEqual(Object.fromEntries(items.map(({ source, problem }) => [source, problem])), {
      'AGENTS.md': { code: 'overruled', by: 'AGENTS.override.md' },
      'AGENTS.override.md': null,
      'web/AGENTS.md': null,
      'web/AGENTS.override.md': null,
      'api/AGENTS.md': null,
    });
  });

  it('of Kiro imports files with #[[file:…]], from the workspace folder', async () => {
    const [item] = await itemsAmong({ '.kiro/steering/a.md': 'See #[[file:docs/api.md]]', 'docs/api.md': 'GET /tides' });
    assert.match(item?.text ?? '', /From docs\/api\.md:\n\nGET \/tides$/);
  });
});

describe('a skill of another program', () => {
  for (const path of [
    '.cursor/skills/pdf/SKILL.md',
    '.codex/skills/pdf/SKILL.md',
    '.clinerules/skills/pdf/SKILL.md',
    '.roo/skills/pdf/SKILL.md',
    '.opencode/skills/pdf/SKILL.md',
    '.claude/skills/office/pdf/SKILL.md',
    'web/.claude/skills/pdf/SKILL.md',
  ]) {
    it(`is picked by its description: ${path}`, async () => {
      const item = await itemAt(path, '---\nname: pdf\ndescription: Fill in PDF forms\n---\nOpen it.');
      assert.deepEqual([item.type, item.name, item.include, item.applies, item.remarks], ['skill', 'pdf', 'agent', null, []]);
    });
  }

  it('is never picked with disable-model-invocation', async () => {
    const item = await itemAt(
      '.claude/skills/pdf/SKILL.md',
      '---\nname: pdf\ndescription: PDF\ndisable-model-invocation: true\n---\nOpen it.',
    );
    assert.equal(item.include, 'manual');
  });
});

describe('a list of skills', () => {
  const folder = (name: string): string => `.claude/skills/${name}/SKILL.md`;
  readsOneBadAmongThreeGood({
    good: (name) => ({ path: folder(name), text: `---\nname: ${name}\ndescription: About ${name}\n---\n${name}.` }),
    bad: Object.fromEntries(
      Object.entries({
        'an alias': '---\nname: bad\ndescription: *a\n---\nBad.',
        'an open quotation': '---\nname: bad\ndescription: "a\n---\nBad.',
        'no keys': '---\n- a\n---\nBad.',
        'a key twice': '---\nname: bad\ndescription: a\ndescription: b\n---\nBad.',
        'no name': '---\ndescription: a\n---\nBad.',
        'a missing file': null,
      }).map(([kind, text]) => [kind, { path: folder('bad'), text }]),
    ),
    read: async (files) => {
      const items = await itemsAmong(Object.fromEntries(files.map(({ path, text }) => [path, text])));
      const values = items.map(
        (item) => [item.source.split('/').at(-2) ?? '', [item.name, item.include, item.text, item.remarks]] as const,
      );
      const problems = items.flatMap(({ source, problem }) => (problem === null ? [] : [source]));
      return { values: new Map(values), said: [...problems, ...items.flatMap(({ remarks }) => textsOf(remarks))] };
    },
    named: folder('bad'),
  });
});

describe('a list of rule files', () => {
  readsOneBadAmongThreeGood({
    good: (name) => ({ path: `.cursor/rules/${name}.mdc`, text: `---\nglobs: ${name}/**\n---\n${name}.`, file: name }),
    bad: Object.fromEntries(
      Object.entries({
        'an alias': '---\ndescription: *a\n---\nBad.',
        'an anchor': '---\ndescription: &a b\n---\nBad.',
        'an open quotation': '---\ndescription: "a\n---\nBad.',
        'no keys': '---\n- a\n---\nBad.',
        'a key twice': '---\ndescription: a\ndescription: b\n---\nBad.',
        'a bad pattern': '---\nglobs: "a/[b"\n---\nBad.',
        'a missing import': '---\nalwaysApply: true\n---\n@gone.md',
        'a missing file': null,
      }).map(([kind, text]) => [kind, { path: '.cursor/rules/bad.mdc', text, file: 'bad' }]),
    ),
    read: async (files) => {
      const texts = Object.fromEntries(files.map(({ path, text }) => [path, text]));
      const items = await itemsAmongLinks(texts, Object.fromEntries(files.map(({ path, file }) => [path, file])));
      const values = columns(items, 'source', 'include', 'text', 'remarks').map(([source, ...rest]) => [
        /\/(\w+)\.mdc$/.exec(String(source))?.[1] ?? '',
        rest,
      ]);
      const problems = items.flatMap(({ source, problem }) => (problem === null ? [] : [source]));
      return { values: new Map(values as [string, unknown][]), said: [...problems, ...items.flatMap(({ remarks }) => textsOf(remarks))] };
    },
    named: '.cursor/rules/bad.mdc',
  });
});
