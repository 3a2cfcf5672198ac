import assert from 'node:assert/strict';
import { chipRows, itemKeys } from '../../../src/host/panel/composer/chipRows.js';
import { type ContextChip, MOST_CHIPS } from '../../../src/protocol/panel/chips.js';

function chip(name: string, changes: Partial<ContextChip>): ContextChip {
  return { key: `file:${name}`, name, files: null, tokens: 10, warning: null, ...changes };
}

const NO_TOOLS = { tools: 0, toolsNotOffered: 0 };
const names = (chips: readonly ContextChip[]): string[] => chips.map(({ name }) => name);
const CHANGED = { kind: 'changed', text: 'Changed.' } as const;
/** Seven files in `src`, one with a warning, among others. */
const CHIPS = [
  chip('README.md', {}),
  ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => chip(`src/${name}.ts`, {})),
  chip('src/changed.ts', { warning: CHANGED }),
  ...['x', 'y', 'z', 'v'].map((name) => chip(`docs/${name}.md`, {})),
];

describe('The chips of a chat', () => {
  it('stand for a folder where that has many files; a file with a warning keeps its own', () => {
    const { context, contextTotal } = chipRows(CHIPS, NO_TOOLS, false);
    assert.deepEqual(names(context), ['README.md', 'src/', 'src/changed.ts', 'docs/x.md', 'docs/y.md', 'docs/z.md', 'docs/v.md']);
    assert.deepEqual(context[1], { key: 'folder:src', name: 'src/', files: 6, tokens: 60, warning: null });
    assert.deepEqual(contextTotal, { items: 12, files: 12, tokens: 120, folded: 6, foldedWarnings: 0, ...NO_TOOLS });
  });

  it('are one for each file while they are open', () => {
    const { context, contextTotal } = chipRows(CHIPS, NO_TOOLS, true);
    assert.deepEqual(context, CHIPS);
    assert.equal(contextTotal.folded, 6, 'so that they can be closed again');
  });

  it('tell of those that are left out how many have a warning', () => {
    const many = Array.from({ length: MOST_CHIPS + 3 }, (_, index) => chip(`file${String(index)}`, { warning: CHANGED, tokens: null }));
    const { context, contextTotal } = chipRows(many, NO_TOOLS, false);
    assert.equal(context.length, MOST_CHIPS);
    assert.deepEqual(contextTotal, { items: MOST_CHIPS + 3, files: MOST_CHIPS + 3, tokens: 0, folded: 3, foldedWarnings: 3, ...NO_TOOLS });
  });

  it('do not fold what is no file, or in no folder', () => {
    const rules = Array.from({ length: 9 }, (_, index) => chip(`a/rule ${String(index)}`, { key: `rule:a/rule ${String(index)}` }));
    const roots = Array.from({ length: 9 }, (_, index) => chip(`file${String(index)}`, {}));
    assert.equal(chipRows([...rules, ...roots], NO_TOOLS, false).contextTotal.folded, 0);
  });

  it('are known by the keys of what they stand for', () => {
    const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `file:src/${name}.ts`);
    assert.deepEqual(itemKeys(CHIPS, 'folder:src'), files);
    assert.deepEqual(itemKeys(CHIPS, 'file:src/a.ts'), ['file:src/a.ts']);
    assert.deepEqual(itemKeys(CHIPS, 'folder:docs'), []);
  });
});
