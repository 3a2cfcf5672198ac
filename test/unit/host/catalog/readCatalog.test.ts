import assert from 'node:assert/strict';
import { columns } from '../../../support/columns.js';
import { itemAt, itemsAmong, textsOf } from '../../../support/host/catalogReading.js';

describe('the rules of a workspace', () => {
  it('are read from the files of every editor, each once, and other files are none', async () => {
    const rules = [
      'AGENTS.md',
      'CLAUDE.md',
      '.claude/CLAUDE.md',
      '.github/copilot-instructions.md',
      '.github/instructions/web/css.instructions.md',
      '.cursorrules',
      '.cursor/rules/style.mdc',
      '.clinerules',
      '.loupe/rules/tides.md',
      'src/AGENTS.md',
      'docs/CLAUDE.md',
    ];
    const others = ['README.md', 'src/agents.md', '.github/instructions/css.md', '.cursor/rules/style.txt', '.loupe/notes.md'];
    const items = await itemsAmong(
      Object.fromEntries([...rules, ...others, '.loupe/references/api.md'].map((path) => [path, `Text of ${path}`])),
    );
    assert.deepEqual(items.flatMap(({ type, source }) => (type === 'rule' ? [source] : [])).sort(), rules.sort());
    assert.deepEqual(
      items.flatMap(({ type, source }) => (type === 'reference' ? [source] : [])),
      ['.loupe/references/api.md'],
    );
    assert.ok(items.every(({ text, source }) => text === `Text of ${source}`));
  });

  for (const [path, head, include] of [
    ['AGENTS.md', '', 'always'],
    ['.github/copilot-instructions.md', '', 'always'],
    ['.github/instructions/a.instructions.md', 'applyTo: **', 'always'],
    ['.github/instructions/a.instructions.md', 'applyTo: [**]', 'always'],
    ['.github/instructions/a.instructions.md', 'applyTo: "**, !docs/**"', 'agent'],
    ['.github/instructions/a.instructions.md', 'applyTo: "**/*.ts,**/*.tsx"', 'agent'],
    ['.github/instructions/a.instructions.md', 'description: Styles', 'agent'],
    ['.github/instructions/a.instructions.md', 'name: Styles', 'manual'],
    ['.cursor/rules/a.mdc', 'description: Styles\nglobs:\nalwaysApply: true', 'always'],
    ['.cursor/rules/a.mdc', 'description:\nglobs: *.ts,*.tsx\nalwaysApply: false', 'agent'],
    ['.cursor/rules/a.mdc', 'globs: {src,test}/**', 'agent'],
    ['.cursor/rules/a.mdc', 'globs: ["*.ts"]', 'agent'],
    ['.cursor/rules/a.mdc', 'description: For styles\nalwaysApply: false', 'agent'],
    ['.cursor/rules/a.mdc', 'alwaysApply: false', 'manual'],
    ['.clinerules/a.md', '', 'always'],
    ['.clinerules/a.md', 'paths:\n  - src/**', 'agent'],
    ['src/AGENTS.md', '', 'agent'],
    ['.loupe/rules/a.md', '', 'always'],
    ['.loupe/rules/a.md', 'include: agent', 'agent'],
    ['.loupe/references/a.md', '', 'manual'],
    ['.loupe/references/a.md', 'include: always', 'always'],
  ] as const) {
    it(`are ${include}: ${path}${head === '' ? '' : ` with ${JSON.stringify(head)}`}`, async () => {
      const item = await itemAt(path, head === '' ? 'Body.' : `---\n${head}\n---\n\nBody.\n`);
      assert.deepEqual([item.include, item.text, item.remarks], [include, 'Body.', []]);
    });
  }

  for (const [path, head, matching, others] of [
    ['.cursor/rules/a.mdc', 'globs: *.ts,*.tsx', ['a.ts', 'src/b.tsx'], ['a.css', 'a.tsx/b']],
    ['.cursor/rules/a.mdc', 'globs: {src,test}/**', ['src/a', 'test/b/c.md', 'packages/a/src/b'], ['srcs/a', 'a.ts']],
    [
      '.github/instructions/a.instructions.md',
      'applyTo: "/src/**/*.{ts,tsx}, docs/*.md"',
      ['src/a.ts', 'src/b/.c.tsx', 'docs/a.md'],
      ['a/src/a.ts'],
    ],
    ['.github/instructions/a.instructions.md', 'applyTo: "[a"', [], ['a', '[a']],
    [
      '.cursor/rules/a.mdc',
      'globs: app/(shop)/**',
      ['app/(shop)/page.tsx', 'web/app/(shop)/(.)cart/a.ts'],
      ['app/shop/page.tsx', 'app/a.ts'],
    ],
    ['.cursor/rules/a.mdc', 'globs: app/[slug]/*.tsx', ['app/[slug]/page.tsx'], ['app/[slug]/a/page.tsx']],
    [
      '.github/instructions/a.instructions.md',
      'applyTo: "app/[...path]/*.ts, docs/[[...path]]/**"',
      ['app/[...path]/a.ts', 'docs/[[...path]]/a/b'],
      ['app/path/a.ts', 'app/p/a.ts'],
    ],
    ['.cursor/rules/a.mdc', 'globs: *.@(ts|js), (.)photo/**', ['a.ts', 'b/a.js', '(.)photo/a.md'], ['a.css', 'photo/a.md']],
    ['.cursor/rules/a.mdc', 'globs: src/**, !**/*.test.ts', ['src/a.ts', 'a/src/b.md'], ['src/a.test.ts', 'a.ts']],
    ['.cursor/rules/a.mdc', 'globs: !**/*.test.ts', ['src/a.ts'], ['src/a.test.ts', 'a.test.ts']],
    ['.cursor/rules/a.mdc', 'globs: ./src/**', ['src/a.ts', 'src/b/c.ts'], ['a/src/a.ts', 'srcs/a.ts']],
    ['.cursor/rules/a.mdc', 'globs: src/components/', ['src/components/a.ts', 'src/components/b/c.ts'], ['src/components.ts', 'src/a.ts']],
    ['.clinerules/a.md', 'paths: [src/**, "*.sql"]', ['src/a.ts', 'db/a.sql', 'a.sql'], ['a/src/a.ts', 'a/src/b/a.ts']],
    ['.loupe/rules/a.md', 'globs: "**"', ['a', '.b/c'], []],
    ['src/ui/AGENTS.md', '', ['src/ui/a.ts', 'src/ui/b/c'], ['src/a.ts', 'src/uix']],
  ] as const) {
    it(`are for the files that they name: ${path}${head === '' ? '' : ` with ${JSON.stringify(head)}`}`, async () => {
      const { applies } = await itemAt(path, `---\n${head}\n---\nBody.`);
      const matches = (file: string): boolean => applies?.matches(file, null) === true;
      assert.deepEqual(matching.filter(matches), matching);
      assert.deepEqual(others.filter(matches), []);
    });
  }

  it('of skills are the skills of each client, picked by their description, and say what other clients would not find', async () => {
    const head = (name: string): string => `---\nname: ${name}\ndescription: Fill in PDF forms\n---\n# Steps\n\nOpen it.`;
    const items = await itemsAmong({
      '.claude/skills/pdf/SKILL.md': head('pdf'),
      '.agents/skills/forms/SKILL.md': head('Forms'),
      '.github/skills/bare/SKILL.md': 'Only text.',
      '.claude/skills/pdf/reference.md': 'No skill',
      '.claude/skills/SKILL.md': 'No skill',
    });
    assert.deepEqual(
      items.map(({ type, name, include, description, remarks }) => [type, name, include, description, textsOf(remarks)]),
      [
        [
          'skill',
          'Forms',
          'agent',
          'Fill in PDF forms',
          ['.agents/skills/forms/SKILL.md has the name Forms. Other programs expect the name forms.'],
        ],
        ['skill', 'pdf', 'agent', 'Fill in PDF forms', []],
        [
          'skill',
          '.github/skills/bare/SKILL.md',
          'agent',
          '',
          ['.github/skills/bare/SKILL.md has no name.', '.github/skills/bare/SKILL.md has no description.'],
        ],
      ],
    );
  });

  it('name the pattern that cannot be read, and are there all the same', async () => {
    const { include, applies, remarks } = await itemAt('.cursor/rules/a.mdc', '---\nglobs: ["src/[a", "*.ts"]\n---\nBody.');
    assert.deepEqual([include, applies?.patterns], ['agent', ['*.ts']]);
    assert.deepEqual(textsOf(remarks), ['.cursor/rules/a.mdc has the invalid file pattern src/[a.']);
  });

  it('have the name, the description, the switch and the priority that their own format gives them', async () => {
    const head = 'name: Tides\ndescription: How to say a height\nenabled: false\npriority: 3';
    const item = await itemAt('.loupe/rules/a.md', `\uFEFF---\r\n${head.replaceAll('\n', '\r\n')}\r\n---\r\nBody.`);
    assert.deepEqual(
      [item.name, item.description, item.offBy, item.priority, item.text],
      ['Tides', 'How to say a height', 'file', 3, 'Body.'],
    );
  });

  it('say which keys of their own format are none, or hold what is passed over', async () => {
    const head = 'name: 7\ninclude: allways\nenabled: "no"\npriority: high\nglobs: [1]\ndescription:\nincldue: agent';
    const item = await itemAt('.loupe/rules/a.md', `---\n${head}\n---\nBody.`);
    assert.deepEqual([item.name, item.include, item.offBy, item.priority], ['.loupe/rules/a.md', 'always', null, 0]);
    assert.deepEqual(textsOf(item.remarks), [
      '.loupe/rules/a.md has name: 7. Write a text.',
      '.loupe/rules/a.md has include: "allways". Write always, manual or agent.',
      '.loupe/rules/a.md has enabled: "no". Write true or false.',
      '.loupe/rules/a.md has priority: "high". Write a number.',
      '.loupe/rules/a.md has globs: [1]. Write patterns.',
      '.loupe/rules/a.md has the key incldue, which Loupe does not know. Loupe knows name, description, include, enabled, priority, globs.',
    ]);
    assert.deepEqual((await itemAt('.cursor/rules/a.mdc', '---\nowner: me\n---\nBody.')).remarks, [], 'what others know is theirs');
  });

  it('say where front matter cannot be read, and are read all the same', async () => {
    const item = await itemAt('.loupe/rules/a.md', '---\nname: Tides\ndescription: "open\n---\nBody.');
    assert.deepEqual([item.name, item.text], ['Tides', 'Body.']);
    assert.match(item.remarks[0]?.text ?? '', /^Loupe cannot read the front matter of \.loupe\/rules\/a\.md, line 3: /);
    assert.deepEqual([item.remarks[0]?.path, item.remarks[0]?.line], ['.loupe/rules/a.md', 3]);
    const list = await itemAt('.loupe/rules/a.md', '---\n- a\n---\nBody.');
    assert.match(list.remarks[0]?.text ?? '', /line 2: the front matter has no key with a value\.$/);
    assert.equal(
      (await itemAt('AGENTS.md', '---\nNever guess.\n---\nBody.')).text,
      '---\nNever guess.\n---\nBody.',
      'nothing of a text is lost',
    );
    const parts = '---\n\nUse "maps", and\n", 지도" too: they help.\n\n---\n\nBody.';
    assert.equal((await itemAt('GEMINI.md', parts)).text, parts.trim(), 'lines that separate parts of a text are no front matter');
    assert.equal((await itemAt('.cursor/rules/a.mdc', '---\ndescription: "open\n---\nBody.')).text, 'Body.');
  });

  it('stand in the order of their priority, then of their paths; the second of a name goes by its path', async () => {
    const items = await itemsAmong({
      '.loupe/rules/b.md': '---\nname: Tides\n---\nB',
      '.loupe/rules/a.md': '---\nname: Tides\n---\nA',
      '.loupe/rules/c.md': '---\npriority: 2\n---\nC',
      '.loupe/references/a.md': '---\nname: Tides\n---\nR',
    });
    assert.deepEqual(columns(items, 'type', 'name', 'text'), [
      ['rule', '.loupe/rules/c.md', 'C'],
      ['reference', 'Tides', 'R'],
      ['rule', 'Tides', 'A'],
      ['rule', '.loupe/rules/b.md', 'B'],
    ]);
    assert.deepEqual(textsOf(items.at(-1)?.remarks), [
      '.loupe/rules/b.md has the same name as .loupe/rules/a.md. Loupe uses its path as the name.',
    ]);
  });

  it('keep the name of a skill for the one in a folder of this name, whatever other skills call themselves', async () => {
    const skill = (text: string): string => `---\nname: tides\ndescription: Tides\n---\n${text}`;
    const items = await itemsAmong({
      '.agents/skills/ebb/SKILL.md': skill('Of ebb'),
      '.claude/skills/tides/SKILL.md': skill('Of tides'),
      '.github/skills/tides/SKILL.md': skill('Of GitHub'),
    });
    assert.deepEqual(columns(items, 'name', 'text'), [
      ['.agents/skills/ebb/SKILL.md', 'Of ebb'],
      ['tides', 'Of tides'],
      ['.github/skills/tides/SKILL.md', 'Of GitHub'],
    ]);
    assert.deepEqual(textsOf(items[0]?.remarks).slice(1), [
      '.agents/skills/ebb/SKILL.md has the same name as .claude/skills/tides/SKILL.md. Loupe uses its path as the name.',
    ]);
  });

  it('are there with the reason when their file cannot be read', async () => {
    const [item] = await itemsAmong({ 'AGENTS.md': null });
    assert.deepEqual([item?.text, item?.problem], [null, { code: 'missing' }]);
  });
});
