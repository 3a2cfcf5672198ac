import assert from 'node:assert/strict';
import type { CatalogItem } from '../../../../src/engine/context/catalogItem.js';
import { itemsAmong, readsAmong, textsOf, type Texts } from '../../../support/host/catalogReading.js';

/** The files whose texts are in the text of the rule, in order. */
function importedIn({ text }: CatalogItem): readonly string[] {
  return Array.from((text ?? '').matchAll(/^From (.+):$/gm), ([, path]) => path ?? '');
}

async function ruleAt(source: string, texts: Texts): Promise<CatalogItem> {
  const found = (await itemsAmong(texts)).find((item) => item.source === source);
  return found ?? assert.fail(`There is no ${source}.`);
}

describe('the imports of a rule', () => {
  for (const [written, path] of [
    ['@.claude/notes/x.md', '.claude/notes/x.md'],
    ['@.github/notes.md', '.github/notes.md'],
    ['@README', 'README'],
    ['@./docs/style.md.', 'docs/style.md'],
    ['(see @docs/style.md)', 'docs/style.md'],
    ['@docs/überblick.md', 'docs/überblick.md'],
    ['参见@docs/说明.md。', 'docs/说明.md'],
    ['@docs/my\\ file.md', 'docs/my file.md'],
    ['@docs/style.md#usage', 'docs/style.md'],
    ['@app/(shop)/README.md', 'app/(shop)/README.md'],
    ['- Build:\n\n    See @docs/style.md', 'docs/style.md'],
    ['`code` @docs/style.md `code`', 'docs/style.md'],
    ['a ` b\n\n@docs/style.md ` c', 'docs/style.md'],
    ['```\ncode\n```\n@docs/style.md', 'docs/style.md'],
    ['<!-- note -->\n@docs/style.md', 'docs/style.md'],
  ] as const) {
    it(`are read: ${JSON.stringify(written)}`, async () => {
      const rule = await ruleAt('CLAUDE.md', { 'CLAUDE.md': written, [path]: 'Two spaces.' });
      assert.deepEqual(importedIn(rule), [path]);
      assert.match(rule.text ?? '', /\n\nTwo spaces\.$/);
      assert.deepEqual(rule.remarks, []);
    });
  }

  for (const written of [
    '`@a.md`',
    '``@a.md ` @a.md``',
    '`two\nlines @a.md`',
    '```\n@a.md\n```',
    '```\n@a.md',
    '~~~ md\n@a.md\n```\n@a.md\n~~~',
    '````\n```\n@a.md\n````',
    '- list\n  ```\n  @a.md\n  ```',
    'Text.\n\n    @a.md',
    '<!-- @a.md -->',
    '<!--\n\n@a.md\n-->',
    'Text.\n<!-- @a.md',
    'me@a.md',
    '\\@a.md',
    'https://example.com/@a.md',
  ]) {
    it(`are not in code, comments and addresses: ${JSON.stringify(written)}`, async () => {
      const { items, reads } = await readsAmong({ 'CLAUDE.md': written, 'a.md': 'A' });
      assert.deepEqual(items.map(importedIn), [[]]);
      assert.deepEqual(reads, ['CLAUDE.md']);
    });
  }

  for (const [written, remark] of [
    ['@~/.claude/mine.md', 'CLAUDE.md imports ~/.claude/mine.md. Loupe imports only files of the workspace.'],
    ['@/etc/rules.md', 'CLAUDE.md imports /etc/rules.md. Loupe imports only files of the workspace.'],
    ['@gone.md', 'CLAUDE.md imports gone.md. gone.md does not exist.'],
    ['@.env', null],
    ['@config/.env', 'Loupe skips the import of config/.env in CLAUDE.md, because it may contain secrets.'],
    ['@someone, @angular/core and @/components/Button', null],
  ] as const) {
    it(`${remark === null ? 'say nothing of a name' : 'say why a file is not there'}: ${written}`, async () => {
      const rule = await ruleAt('CLAUDE.md', { 'CLAUDE.md': written, 'config/.env': 'KEY=1' });
      assert.deepEqual([importedIn(rule), textsOf(rule.remarks)], [[], remark === null ? [] : [remark]]);
    });
  }

  it('come after the rule, the nearest first, without their front matter and comments', async () => {
    const rule = await ruleAt('CLAUDE.md', {
      'CLAUDE.md': 'See @docs/style.md and @docs/words.md.\n<!-- ours -->\nMore.',
      'docs/style.md': '---\nowner: me\n---\nTwo spaces. See @more.md and @../CLAUDE.md',
      'docs/words.md': 'Short <!-- very --> words.',
      'docs/more.md': 'No tabs.',
    });
    assert.equal(
      rule.text,
      [
        'See @docs/style.md and @docs/words.md.\nMore.',
        'From docs/style.md:\n\nTwo spaces. See @more.md and @../CLAUDE.md',
        'From docs/words.md:\n\nShort  words.',
        'From docs/more.md:\n\nNo tabs.',
      ].join('\n\n'),
    );
    assert.deepEqual(rule.remarks, []);
  });

  it('read each of 12 files that all import each other once', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `r${String(at + 1)}.md`);
    const all = names.map((name) => `@${name}`).join(' ');
    const { items, reads } = await readsAmong({
      'AGENTS.md': '@r1.md',
      ...Object.fromEntries(names.map((name) => [name, `${name}: ${all}`])),
    });
    assert.deepEqual(items.map(importedIn), [names]);
    assert.deepEqual(reads, ['AGENTS.md', ...names]);
    assert.deepEqual(items[0]?.remarks, []);
  });

  it('bring a file once that two imported files import', async () => {
    const rule = await ruleAt('CLAUDE.md', { 'CLAUDE.md': '@b.md @c.md', 'b.md': 'B @d.md', 'c.md': 'C @d.md', 'd.md': 'D' });
    assert.deepEqual(importedIn(rule), ['b.md', 'c.md', 'd.md']);
  });

  it('leave out a rule that each request has anyway, and what such rules import, but not what another rule imports', async () => {
    const { items, reads } = await readsAmong({
      'AGENTS.md': 'Heights are metres. @docs/a.md',
      'CLAUDE.md': '@AGENTS.md @docs/a.md @docs/b.md @docs/copy.md',
      'web/CLAUDE.md': 'Web. @../docs/a.md @../docs/c.md',
      'api/CLAUDE.md': 'API. @../docs/c.md',
      'docs/a.md': 'A',
      'docs/b.md': 'B',
      'docs/c.md': 'C',
      'docs/copy.md': 'A',
    });
    assert.deepEqual(Object.fromEntries(items.map((item) => [item.source, importedIn(item)])), {
      'AGENTS.md': ['docs/a.md'],
      'CLAUDE.md': ['docs/b.md'],
      'web/CLAUDE.md': ['docs/c.md'],
      'api/CLAUDE.md': ['docs/c.md'],
    });
    assert.deepEqual(reads.toSorted(), [...new Set(reads)].toSorted(), 'each file is read once');
  });

  it('leave out a rule for the same folder or one around it, but not one of another folder', async () => {
    const rule = await ruleAt('web/app/CLAUDE.md', {
      'web/app/CLAUDE.md': '@AGENTS.md @../AGENTS.md @../../api/AGENTS.md',
      'web/app/AGENTS.md': 'App.',
      'web/AGENTS.md': 'Web.',
      'api/AGENTS.md': 'API.',
    });
    assert.deepEqual(importedIn(rule), ['api/AGENTS.md']);
  });

  it('of rules that are not in each request are there in both places', async () => {
    const rule = await ruleAt('CLAUDE.md', {
      'CLAUDE.md': '@.cursor/rules/a.mdc',
      '.cursor/rules/a.mdc': '---\nglobs: "*.ts"\n---\nTypes.',
    });
    assert.match(rule.text ?? '', /From \.cursor\/rules\/a\.mdc:\n\nTypes\.$/);
  });

  it('are at most five files deep', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`f${String(at)}.md`, `Text ${String(at)}. @f${String(at + 1)}.md`]),
    );
    const rule = await ruleAt('CLAUDE.md', { 'CLAUDE.md': '@f0.md', ...files });
    assert.deepEqual(importedIn(rule), ['f0.md', 'f1.md', 'f2.md', 'f3.md', 'f4.md']);
    assert.deepEqual(textsOf(rule.remarks), ['Loupe skips the import of f5.md in f4.md: it is more than 5 files deep.']);
  });

  it('have a limit in files and a limit in bytes, and say which file is beyond it', async () => {
    const many = Array.from({ length: 101 }, (_, at) => `f${String(at)}.md`);
    const rule = await ruleAt('CLAUDE.md', {
      'CLAUDE.md': many.map((name) => `@${name}`).join('\n'),
      ...Object.fromEntries(many.map((name) => [name, name])),
    });
    assert.equal(importedIn(rule).length, 100);
    assert.deepEqual(textsOf(rule.remarks), [
      'Loupe skips the import of f100.md in CLAUDE.md, because imports are limited to 100 files and 256 KB.',
    ]);
    const large = await ruleAt('CLAUDE.md', {
      'CLAUDE.md': '@a.md @b.md @c.md',
      'a.md': 'a'.repeat(200_000),
      'b.md': 'b'.repeat(200_000),
      'c.md': 'C',
    });
    assert.deepEqual(importedIn(large), ['a.md', 'c.md']);
    assert.match(textsOf(large.remarks).join(), /^Loupe skips the import of b\.md/);
  });

  it('of Cursor begin in the workspace folder, also as links, and those of other formats are none', async () => {
    const head = '---\nalwaysApply: true\n---\n';
    const texts = {
      '.cursor/rules/a.mdc': `${head}Like @src/a.ts and [the schema](mdc:db/schema.sql), not \`mdc:src/b.ts\`.`,
      '.clinerules/a.md': 'See @src/b.ts',
      'src/a.ts': 'export {};',
      'src/b.ts': 'export const b = 1;',
      'db/schema.sql': 'CREATE TABLE tides;',
    };
    assert.deepEqual(importedIn(await ruleAt('.cursor/rules/a.mdc', texts)), ['src/a.ts', 'db/schema.sql']);
    assert.deepEqual(importedIn(await ruleAt('.clinerules/a.md', texts)), []);
  });

  it('of web/.claude/CLAUDE.md begin in its folder, and the rule is for web', async () => {
    const rule = await ruleAt('web/.claude/CLAUDE.md', { 'web/.claude/CLAUDE.md': '@notes.md', 'web/.claude/notes.md': 'Notes.' });
    assert.deepEqual(importedIn(rule), ['web/.claude/notes.md']);
    assert.deepEqual(rule.applies?.patterns, ['web/**']);
    assert.deepEqual(
      ['web/a.ts', 'a.ts'].map((path) => rule.applies?.matches(path, null)),
      [true, false],
    );
  });
});
