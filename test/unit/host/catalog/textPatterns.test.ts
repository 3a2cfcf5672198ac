import assert from 'node:assert/strict';
import { TestTime, textPatterns } from '../../../../src/host/context/catalog/reading/textPatterns.js';
import { column } from '../../../support/columns.js';
import { chatAmongFiles } from '../../../support/host/filesInChat.js';
import { useWindows } from '../../../support/host/window.js';
import { itemAt, textsOf } from '../../../support/host/catalogReading.js';

describe('the regular expressions of a rule', () => {
  const windows = useWindows();

  it('match a text if one of them does, each as it is written', () => {
    const { matches, invalid } = textPatterns(['^import ', 'b+\\.c$', '(']);
    assert.deepEqual(
      ['import x', 'a import x', 'x\nimport y', 'abb.c', 'abbxc'].map((text) => matches?.(text)),
      [true, false, false, true, false],
    );
    assert.deepEqual(invalid, ['(']);
    assert.equal(textPatterns(['(', '[']).matches, null);
  });

  it('end where they take too long for a text, and then match no text', () => {
    const { matches, areSlow } = textPatterns(['^(a+)+$']);
    const slow = `${'a'.repeat(200)}b`;
    assert.deepEqual([matches?.('b'), matches?.('aaa'), areSlow()], [false, true, false]);
    assert.equal(matches?.(slow), false, 'without a limit, this would take years');
    assert.deepEqual([matches('aaa'), areSlow()], [false, true]);
    assert.equal(textPatterns(['^import ']).matches?.('import x'), true, 'other expressions still work');
  });

  it('have less time after slow ones, so that many slow ones block for little time', () => {
    const time = new TestTime();
    const limits = Array.from({ length: 22 }, () => {
      const { limit } = time;
      time.reached();
      return limit;
    });
    assert.deepEqual([limits.slice(0, 4), new Set(limits.slice(2))], [[500, 500, 50, 50], new Set([50])]);
  });

  it('make a rule of Continue one for files with such a text, in the files of its patterns', async () => {
    const one = await itemAt('.continue/rules/a.md', '---\nregex: "^import "\n---\nText.');
    assert.deepEqual([one.include, one.applies?.patterns], ['agent', ['/^import /']]);
    const match = (path: string, text: string | null): boolean | undefined => one.applies?.matches(path, text);
    assert.deepEqual([match('a.ts', 'import x'), match('a.ts', 'let x'), match('a.ts', null)], [true, false, false]);
    const both = await itemAt('.continue/rules/a.md', '---\nglobs: "*.ts"\nregex: ["x", "y"]\nalwaysApply: false\n---\nText.');
    assert.deepEqual(
      [both.include, both.applies?.matches('b/a.ts', 'y'), both.applies?.matches('a.js', 'y'), both.applies?.matches('a.ts', 'z')],
      ['agent', true, false, false],
    );
    const always = await itemAt('.continue/rules/a.md', '---\nregex: x\nalwaysApply: true\n---\nText.');
    assert.deepEqual([always.include, always.applies], ['always', null]);
    const wrong = await itemAt('.continue/rules/a.md', '---\nregex: "("\n---\nText.');
    assert.deepEqual(
      [wrong.include, wrong.applies?.matches('a.ts', '('), textsOf(wrong.remarks)],
      ['agent', false, ['.continue/rules/a.md has the invalid regular expression (.']],
    );
  });

  it('send the rule while a file of the chat has such a text, also after an edit of the file', async () => {
    const { session, files } = await chatAmongFiles(
      windows,
      { '.continue/rules/a.md': '---\nname: Imports\nregex: "^import "\n---\nSort them.', 'a.ts': 'let x;' },
      {},
    );
    await session.context.add({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: null, given: null });
    const sent = async (): Promise<unknown> => {
      const { context } = await session.next.preview({ text: 'Hello', editing: null });
      return column(context.selection.forFiles, 'name');
    };
    assert.deepEqual(await sent(), []);
    files.texts.set('a.ts', 'import y;');
    assert.deepEqual(await sent(), ['Imports']);
    files.texts.set('a.ts', 'let y;');
    assert.deepEqual(await sent(), []);
  });

  it('that take too long leave out their rule alone, with a remark and the reason', async () => {
    const { session } = await chatAmongFiles(
      windows,
      {
        '.continue/rules/slow.md': '---\nname: Slow\nregex: "^(a+)+$"\nalwaysApply: false\ndescription: Hello\n---\nSlow.',
        '.continue/rules/good.md': '---\nname: Good\nregex: "^a+b$"\n---\nGood.',
        'a.ts': `${'a'.repeat(200)}b`,
      },
      {},
    );
    await session.context.add({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: null, given: null });
    const { context } = await session.next.preview({ text: 'Hello', editing: null });
    assert.deepEqual(column(context.selection.forFiles, 'name'), ['Good']);
    assert.deepEqual(
      context.selection.absent.map(({ item, reason }) => [item.name, reason.code]),
      [['Slow', 'slowExpression']],
    );
    assert.deepEqual(textsOf(context.remarks), [
      'A regular expression of .continue/rules/slow.md takes too long, so Loupe does not send the file. Simplify "regex" in the file.',
    ]);
  });
});
