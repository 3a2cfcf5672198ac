import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EMPTY_CATALOG } from '../../../../src/engine/context/catalogItem.js';
import { frontMatter } from '../../../../src/host/context/catalog/reading/frontMatter.js';
import { LONGEST_FRONT_MATTER } from '../../../../src/host/context/catalog/reading/frontMatterYaml.js';
import { patternsIn } from '../../../../src/host/context/catalog/filePatterns.js';
import { readCatalog } from '../../../../src/host/context/catalog/readCatalog.js';
import { readPrompts } from '../../../../src/host/context/catalog/readPrompts.js';
import { readProfiles } from '../../../../src/host/context/catalog/readProfiles.js';
import { column, columns } from '../../../support/columns.js';
import { forAllAsync } from '../../../support/forAll.js';
import { readingOf } from '../../../support/host/catalogReading.js';

/** Characters with a meaning in YAML, and letters. */
const SIGNS = Array.from(' :-*&!|>{}[]"\'#,%@`?~\t<=.x1');

const read = (yaml: string): ReturnType<typeof frontMatter> => frontMatter(`---\n${yaml}\n---\nBody.`);

describe('the front matter of a rule', () => {
  for (const [yaml, patterns] of [
    ['globs: *.ts', ['*.ts']],
    ['globs: *.ts,*.tsx', ['*.ts', '*.tsx']],
    ['globs: [*.ts]', ['*.ts']],
    ['globs: [*.ts, "a/**", *.{js,jsx}]', ['*.ts', 'a/**', '*.{js,jsx}']],
    ['globs:\n  - **/*.ts\n- "src/**" # ours', ['**/*.ts', 'src/**']],
    ['globs:\r\n  - **/*.ts\r', ['**/*.ts']],
    ['globs: # ours\n  # types\n  - *.ts\n\n  - *.tsx', ['*.ts', '*.tsx']],
    ['globs: [\n  *.ts,\n  "*.tsx"\n]', ['*.ts', '*.tsx']],
    ['globs: *.ts,\n  *.tsx', ['*.ts', '*.tsx']],
    ['globs: {src,test}/**', ['{src,test}/**']],
    ['globs: !**/*.test.ts', ['!**/*.test.ts']],
    ['globs: &a/**', ['&a/**']],
    ['globs: "**/*.ts", "**/*.tsx"', ['**/*.ts', '**/*.tsx']],
    ["globs: 'a/**', 'b/**'", ['a/**', 'b/**']],
    ['globs: *.ts # types', ['*.ts']],
    ["globs: it's/**, b", ["it's/**", 'b']],
    ['globs:', []],
  ] as const) {
    it(`has patterns as people write them: ${JSON.stringify(yaml)}`, () => {
      const { values, faults } = read(yaml);
      assert.deepEqual(patternsIn(values.get('globs')), patterns);
      assert.deepEqual(faults, []);
    });
  }

  for (const [yaml, description] of [
    ['description: Fill in forms: text, boxes', 'Fill in forms: text, boxes'],
    ["description: 'It's for PDFs'", "It's for PDFs"],
    ['description: [beta] x', '[beta] x'],
    ['description: @angular rules', '@angular rules'],
    ['description: "open', undefined],
    ['description: [open', undefined],
    ['description: *other', undefined],
    ['description: &anchor x', undefined],
    ['description: !!binary x', undefined],
    ['description:\n  a: [', undefined],
    ['tools:\n  git: [', undefined],
    ['just words', undefined],
  ] as const) {
    it(`keeps the other keys beside ${JSON.stringify(yaml)}, ${description === undefined ? 'leaves it out' : 'reads it as it is written'}, and names its line`, () => {
      const { values, faults, body } = read(`name: Tides\n${yaml}\nglobs: [*.ts]\nalwaysApply: true`);
      const found = ['name', 'description', 'globs', 'alwaysApply'].map((key) => values.get(key));
      assert.deepEqual(found, ['Tides', description, ['*.ts'], true]);
      assert.deepEqual(columns(faults, 'line', 'isRead'), [[yaml.includes('\n') ? 4 : 3, description !== undefined]]);
      assert.equal(body, 'Body.');
    });
  }

  it('has the first of two values of a key, and names the line of the second', () => {
    const { values, faults } = read('name: a\nname: b');
    assert.equal(values.get('name'), 'a');
    assert.deepEqual(faults, [{ line: 3, reason: 'name appears twice, and Loupe uses the first one', isRead: false }]);
  });

  for (const blank of ['\n', ' \r\n\t\n', '\uFEFF\n']) {
    it(`is read after blank lines: ${JSON.stringify(blank)}`, () => {
      const { values, faults, body } = frontMatter(`${blank}---\nname: Tides\ndescription: "open\n---\nBody.`);
      assert.deepEqual([[...values], body], [[['name', 'Tides']], 'Body.']);
      assert.deepEqual(column(faults, 'line'), [blank.split('\n').length + 2]);
    });
  }

  it('has each key of every format in a list, bare or with an error in another key', () => {
    const keys = 'name: a\ntrigger: glob\ninclusion: auto\nmodel: [x\ntools: *\napplyTo: *.a\npaths: *.b\nfileMatchPattern: [*.c]';
    const { values, faults } = read(keys);
    assert.deepEqual(Object.fromEntries(values), {
      ...{ name: 'a', trigger: 'glob', inclusion: 'auto' },
      ...{ tools: ['*'], applyTo: ['*.a'], paths: ['*.b'], fileMatchPattern: ['*.c'] },
    });
    assert.deepEqual(columns(faults, 'line', 'isRead'), [[5, false]]);
  });

  it('is not read where it is longer than any that people write, whose parsing could take minutes', () => {
    const { values, faults, body } = read(`name: Tides\nglobs: ${'['.repeat(LONGEST_FRONT_MATTER)}`);
    assert.deepEqual([[...values], body], [[], 'Body.']);
    assert.deepEqual(faults, [{ line: 2, reason: 'the front matter is longer than 10,000 characters', isRead: false }]);
  });

  it('never keeps the other files from being read, whatever it holds', async () => {
    const line = fc.string({ unit: fc.constantFrom(...SIGNS, 'globs', 'name', '\n'), maxLength: 40 });
    await forAllAsync(line, async (head) => {
      const texts = new Map([
        ['.cursor/rules/a.mdc', `---\n${head}\n---\nA`],
        ['.claude/skills/a/SKILL.md', `---\n${head}\n---\nA`],
        ['.loupe/rules/a.md', `---\n${head}\n---\nA`],
        ['.loupe/rules/b.md', '---\nname: Tides\n---\nB'],
      ]);
      const reading = readingOf((path) => {
        const content = texts.get(path) ?? `---\n${head}\n---\nAgent`;
        return Promise.resolve({ ok: true, content, bytes: content.length });
      });
      const paths = [...texts.keys()].map((path) => ({ path, source: path, prefix: '', file: path }));
      const catalog = await readCatalog(paths, reading, EMPTY_CATALOG);
      assert.equal(catalog.size, texts.size);
      assert.equal([...catalog.values()].find(({ source }) => source === '.loupe/rules/b.md')?.name, 'Tides');
      const agent = '.loupe/agents/a.md';
      assert.equal((await readProfiles([{ path: agent, source: agent, prefix: '', file: agent }], reading)).size, 1);
      const prompt = '.claude/commands/a.md';
      assert.equal((await readPrompts([{ path: prompt, source: prompt, prefix: '', file: prompt }], reading)).prompts.length, 1);
    });
  });
});

describe('a file at which Loupe fails', () => {
  /** Like a bug in Loupe. */
  const failing = {
    read: (path: string) => (path.includes('bad') ? Promise.reject(new RangeError('out of range')) : Promise.resolve(TEXT)),
    isOff: () => false,
    logError: ({ message }: { readonly message: string }) => logged.push(message),
  };
  const TEXT = { ok: true, content: 'Text', bytes: 4 } as const;
  const logged: string[] = [];

  it('is named in the catalog with the failure, which is logged, and the others are there', async () => {
    const paths = ['.loupe/rules/a.md', '.loupe/rules/bad.md', '.loupe/rules/c.md'].map((path) => ({
      path,
      source: path,
      prefix: '',
      file: path,
    }));
    const items = [...(await readCatalog(paths, failing, EMPTY_CATALOG)).values()];
    assert.deepEqual(column(items, 'text'), ['Text', null, 'Text']);
    const [, bad] = items;
    assert.ok(bad?.problem?.code === 'failed');
    assert.match(bad.problem.text, /^\.loupe\/rules\/bad\.md cannot be read: .*out of range/);
    assert.match(logged.join('\n'), /out of range/);
  });
});
