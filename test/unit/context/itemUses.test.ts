import assert from 'node:assert/strict';
import { type UsableItem, type UsingReply, itemUses } from '../../../src/engine/context/use/itemUses.js';

const NOTHING: UsingReply = { texts: [], calls: [], edited: [] };
const said = (text: string): UsingReply => ({ ...NOTHING, texts: [text] });
const called = (name: string, args: Record<string, string>): UsingReply => ({
  ...NOTHING,
  calls: [{ name, rawArgs: JSON.stringify(args), args }],
});
const file = (name: string): UsableItem => ({ key: `file:${name}`, type: 'file', name, text: null });
const page = (name: string): UsableItem => ({ key: `page:${name}`, type: 'page', name, text: null });
const skill = (name: string): UsableItem => ({ key: `skill:${name}`, type: 'skill', name, text: null });
const tool = (name: string): UsableItem => ({ key: `tool:${name}`, type: 'tool', name, text: null });
const rule = (name: string, text: string): UsableItem => ({ key: `rule:${name}`, type: 'rule', name, text: { text } });

/** The uses as `key how: where`, for short tables. */
function usesOf(items: readonly UsableItem[], reply: UsingReply): string[] {
  return [...itemUses(items, reply)].flatMap(([key, uses]) => uses.map(({ how, where }) => `${key} ${how}: ${where}`));
}

describe('the use of a file', () => {
  const items = [file('src/a.ts')];
  const found: readonly (readonly [string, string, string])[] = [
    ['its path in prose', 'I read src/a.ts and stopped.', 'named: src/a.ts'],
    ['its path at the end of a sentence', 'Look at src/a.ts.', 'named: src/a.ts'],
    ['a path in backticks', 'In `src/a.ts`, the', 'named: src/a.ts'],
    ['a path in bold', 'In **src/a.ts** the', 'named: src/a.ts'],
    ['a genitive', "src/a.ts's end", 'named: src/a.ts'],
    ['a path in brackets', '(src/a.ts)', 'named: src/a.ts'],
    ['a path below the workspace folder', 'Run ./src/a.ts now', 'named: src/a.ts'],
    ['backslashes', 'See src\\a.ts for', 'named: src\\a.ts'],
    ['escaped backslashes', 'the text "src\\\\a.ts"', 'named: src\\\\a.ts'],
    ['a mention', 'Look at @src/a.ts', 'named: src/a.ts'],
    ['its base name', 'I read a.ts and', 'named: a.ts'],
    ['a line', 'src/a.ts:12 fails', 'cited: src/a.ts:12'],
    ['a line and a column', 'src/a.ts:12:5 fails', 'cited: src/a.ts:12:5'],
    ['a range of lines', 'a.ts:12-20 fails', 'cited: a.ts:12-20'],
    ['a line anchor', 'src/a.ts#L12-L20 fails', 'cited: src/a.ts#L12-L20'],
    ['a compiler error', 'src\\a.ts(12,3): error', 'cited: src\\a.ts(12,3)'],
    ['a line in words', 'In src/a.ts, line 12 is', 'cited: src/a.ts, line 12'],
    ['a Markdown link', '[the file](src/a.ts)', 'cited: src/a.ts'],
    ['the old and the new name in a diff', '--- a/src/a.ts\n+++ b/src/a.ts', 'named: src/a.ts'],
    ['a code block', '```ts\n// src/a.ts\nlet a;\n```', 'named: src/a.ts'],
    ['an option', '--file=src/a.ts', 'named: src/a.ts'],
    ['Chinese text without spaces', '请看src/a.ts文件', 'named: src/a.ts'],
    ['Japanese text without spaces', 'src/a.tsを変更', 'named: src/a.ts'],
    ['a Korean particle', 'src/a.ts를 수정', 'named: src/a.ts'],
    ['Thai text without spaces', 'ดูไฟล์src/a.tsนี้', 'named: src/a.ts'],
  ];
  for (const [what, text, use] of found) {
    it(`is found in ${what}`, () => {
      assert.deepEqual(usesOf(items, said(text)), [`file:src/a.ts ${use}`]);
    });
  }

  const notFound: readonly (readonly [string, string])[] = [
    ['a longer base name', 'data.ts and src/data.ts'],
    ['another extension', 'a.tsx and src/a.tsx'],
    ['a second extension', 'src/a.ts.map'],
    ['another folder', 'lib/src/a.ts and other/a.ts'],
    ['a folder outside of the workspace', '../src/a.ts and /src/a.ts'],
    ['a longer name with a dash', 'my-a.ts and src/a.ts-old'],
    ['a backup', 'src/a.ts~'],
    ['another case', 'SRC/A.TS and A.ts'],
    ['a web address', 'https://example.com/src/a.ts and https://example.com/?f=src/a.ts'],
    ['an e-mail address', 'me@a.ts'],
    ['a name without its extension', 'the file a'],
    ['a folder of its name', 'src/a.ts/b'],
    ['underscores', 'src/a.ts_old and _a.ts'],
  ];
  for (const [what, text] of notFound) {
    it(`is not found in ${what}`, () => {
      assert.deepEqual(usesOf(items, said(text)), []);
    });
  }

  it('is not found by a base name that another item has too', () => {
    const two = [file('src/index.ts'), file('lib/index.ts'), file('index.ts')];
    assert.deepEqual(usesOf(two, said('I read index.ts.')), []);
    assert.deepEqual(usesOf(two, said('I read lib/index.ts and ./index.ts.')), [
      'file:lib/index.ts named: lib/index.ts',
      'file:index.ts named: ./index.ts',
    ]);
  });

  it('is found after thousands of prefixes', () => {
    assert.equal(itemUses(items, said(`${'./'.repeat(50_000)}src/a.ts`)).size, 1);
  });

  it('is that of the longest name at a place', () => {
    const two = [file('docs/My plan.md'), file('plan.md')];
    assert.deepEqual(usesOf(two, said('See docs/My plan.md.')), ['file:docs/My plan.md named: docs/My plan.md']);
  });

  it('is found in other Unicode forms of a name, and in other scripts', () => {
    const two = [file('src/Cafe\u0301.ts'), file('文档/说明.md'), file('docs/файл.md')];
    assert.deepEqual(usesOf(two, said('src/Caf\u00E9.ts, `文档/说明.md`和docs/файл.md')), [
      'file:src/Cafe\u0301.ts named: src/Caf\u00E9.ts',
      'file:文档/说明.md named: 文档/说明.md',
      'file:docs/файл.md named: docs/файл.md',
    ]);
    assert.deepEqual(usesOf(two, said('其他文档/说明.md')), []);
    assert.deepEqual(usesOf([file('Caf\u00E9.ts')], said('Cafe\u0301.ts')), ['file:Caf\u00E9.ts named: Caf\u00E9.ts']);
  });

  it('is found in a link with escapes', () => {
    assert.deepEqual(usesOf([file('docs/My plan.md')], said('[it](docs/My%20plan.md) and [no](100%)')), [
      'file:docs/My plan.md cited: docs/My plan.md',
    ]);
    assert.deepEqual(usesOf([file('docs/My plan.md')], said('[it](<docs/My%20plan.md>) and [no](docs/My%20plan.md')), [
      'file:docs/My plan.md cited: docs/My plan.md',
    ]);
  });

  it('without an extension is found only as a path, in backticks or as a whole argument', () => {
    const two = [file('Makefile'), file('docs/LICENSE')];
    assert.deepEqual(usesOf(two, said('Makefile and LICENSE')), []);
    assert.deepEqual(usesOf(two, said('`Makefile` and docs/LICENSE')), [
      'file:Makefile named: Makefile',
      'file:docs/LICENSE named: docs/LICENSE',
    ]);
    assert.deepEqual(usesOf(two, called('read', { path: 'Makefile' })), ['file:Makefile named: Makefile']);
  });

  it('is an edit where a tool changed it, before other uses', () => {
    const reply = { ...called('edit_file', { path: 'src/a.ts' }), texts: ['See src/a.ts:3.'], edited: ['src/a.ts', 'src/b.ts'] };
    assert.deepEqual(usesOf(items, reply), [
      'file:src/a.ts edited: src/a.ts',
      'file:src/a.ts cited: src/a.ts:3',
      'file:src/a.ts named: src/a.ts',
    ]);
  });

  it('is found in nested arguments', () => {
    const args = { edits: [{ file: { path: 'src/a.ts' } }], count: 1, isNew: false, none: null };
    assert.deepEqual(usesOf(items, { ...NOTHING, calls: [{ name: 'edit', rawArgs: '', args }] }), ['file:src/a.ts named: src/a.ts']);
  });
});

describe('the use of a web page', () => {
  const items = [page('https://example.com/docs/'), page('https://example.com/docs/a?b=1')];
  it('is found by its address, also with a fragment or a slash', () => {
    for (const text of [
      'https://example.com/docs',
      '<https://example.com/docs/>',
      '[d](https://example.com/docs#top).',
      '见https://example.com/docs。',
    ]) {
      assert.deepEqual(usesOf(items, said(text)), ['page:https://example.com/docs/ cited: https://example.com/docs'], text);
    }
    assert.deepEqual(usesOf(items, said('https://example.com/docs/a?b=1, too')), [
      'page:https://example.com/docs/a?b=1 cited: https://example.com/docs/a?b=1',
    ]);
  });

  it('is not found in another address', () => {
    for (const text of [
      'https://example.com/docs2',
      'https://example.com/docs/x',
      'http://example.com/docs',
      'https://example.com/docs?q=1',
      'example.com/docs',
    ]) {
      assert.deepEqual(usesOf(items, said(text)), [], text);
    }
  });
});

describe('the use of a tool', () => {
  it('is its first call by its whole name', () => {
    const items = [tool('read'), tool('git__log')];
    const reply = {
      ...NOTHING,
      texts: ['I call read.'],
      calls: [...called('git__log', { n: '1' }).calls, ...called('git__log', {}).calls],
    };
    assert.deepEqual(usesOf(items, reply), ['tool:git__log called: git__log {"n":"1"}']);
  });
});

describe('the use of a skill', () => {
  it('of plain words is found only in quotation marks', () => {
    const items = [skill('Getting started'), skill('release-notes')];
    assert.deepEqual(usesOf(items, said('Getting started with the release notes')), []);
    assert.deepEqual(usesOf(items, said('The skill “Getting started” and release-notes')), [
      'skill:Getting started named: Getting started',
      'skill:release-notes named: release-notes',
    ]);
  });
});

describe('a quote of a rule', () => {
  const text = '# Tests\n\n- Write the test first, and see it **fail** without the change.\n- Never use a fixed sleep.';
  const items = [rule('Tests', text)];

  it('is a run of eight words, whatever the marks and the case', () => {
    assert.deepEqual(usesOf(items, said('As you say: "write the test first and see it fail". Done.')), [
      'rule:Tests quoted: write the test first and see it fail',
    ]);
  });

  it('is as long as the run', () => {
    assert.deepEqual(usesOf(items, said('Yes, see it\nfail without the change. Never use a fixed sleep. Never!')), [
      'rule:Tests quoted: see it\nfail without the change. Never use a fixed sleep',
    ]);
  });

  it('is not a shorter run, nor a run with another word', () => {
    assert.deepEqual(usesOf(items, said('write the test first and see it, fail')), [
      'rule:Tests quoted: write the test first and see it, fail',
    ]);
    assert.deepEqual(usesOf(items, said('write the test first and see it')), []);
    assert.deepEqual(usesOf(items, said('write the test first and then see it fail without a change')), []);
  });

  it('does not cross from one text to another', () => {
    assert.deepEqual(usesOf(items, { ...NOTHING, texts: ['write the test first', 'and see it fail'] }), []);
    const second = { ...NOTHING, texts: ['First.', 'So write the test first and see it fail.'] };
    assert.deepEqual(usesOf(items, second), ['rule:Tests quoted: write the test first and see it fail']);
  });

  it('needs twice as many letters in a script without spaces', () => {
    const chinese = [rule('测试', '请先编写测试并确认它在没有修改时会失败。')];
    assert.deepEqual(usesOf(chinese, said('规则说:先编写测试并确认它在没有修改时会失败,所以')), [
      'rule:测试 quoted: 先编写测试并确认它在没有修改时会失败',
    ]);
    assert.deepEqual(usesOf(chinese, said('先编写测试并确认它在没有修')), []);
  });
});

describe('the use of many items in a long reply', () => {
  it('is nothing without items or without a reply', () => {
    assert.deepEqual(usesOf([], said('src/a.ts')), []);
    assert.deepEqual(usesOf([file('src/a.ts')], NOTHING), []);
  });

  it('is found for each of 1,000 items in 100,000 characters', () => {
    const items = Array.from({ length: 1_000 }, (_, at) => file(`src/part${String(at % 10)}/file-${String(at)}.ts`));
    const lines = items.map(({ name }) => `The file ${name}:12 has a function, and data-${name.slice(4)} has none. `.padEnd(100, 'lorem '));
    assert.deepEqual(new Set(itemUses(items, said(lines.join('\n'))).keys()), new Set(items.map(({ key }) => key)));
  });
});
