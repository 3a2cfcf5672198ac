import assert from 'node:assert/strict';
import type { ReplyUses } from '../../../src/protocol/panel/requestRows.js';
import { contextUsed } from '../../../webview/chat/request/contextUsed.js';
import { contextItem } from '../../../webview/preview/views.js';
import { contextRows } from '../../../webview/preview/states/parts.js';
import { markup, words } from '../../support/webview/markup.js';

const rule = contextItem('Tests', 30, { file: 'rule:Tests', includeMode: 'always' });
const fileA = contextItem('src/a.ts', 100, { file: 'file:src/a.ts' });
const fileB = contextItem('src/b.ts', 2_000, { file: 'file:src/b.ts' });
const gone = contextItem('src/c.ts', null, { file: 'file:src/c.ts', notSelectedReason: 'missing' });
const tool = contextItem('git:log', 9, { file: 'tool:git/log' });

const USES: ReplyUses = {
  items: 3,
  tools: 1,
  uses: {
    'file:src/a.ts': [
      { how: 'edited', where: 'src/a.ts' },
      { how: 'cited', where: 'src/a.ts:1' },
    ],
    'tool:git/log': [{ how: 'called', where: 'log {}' }],
  },
};

function shown(uses: ReplyUses | null): unknown {
  const groups = [
    { type: 'rule', items: [rule] },
    { type: 'tool', items: [tool] },
    { type: 'file', items: [fileA, fileB, gone] },
  ] as const;
  const scope = { chatId: 'c', hasSwitches: false, prices: null, isOpen: () => false, toggle: () => undefined };
  const context = { summary: '2 files', totalTokens: 9, basis: 'exact' } as const;
  return contextUsed({ context, rows: contextRows(groups, [], {}), uses, isOpen: true, scope });
}

describe('The use of items by a turn', () => {
  it('is a figure in the summary, of items or else of tools', () => {
    assert.match(words(shown(USES)), /1 of 3 used · 2 files/);
    assert.match(words(shown({ ...USES, items: 0 })), /1 of 1 tool used · 2 files/);
    assert.doesNotMatch(words(shown(null)), / used ·/);
  });

  it('is a sentence in the open details, with the size of unused items other than rules', () => {
    assert.match(
      words(shown(USES)),
      /Used in this turn: 1 of 3 items, 1 of 1 tool\. Rules can work without a quote\.\s+The other 1 item took 2,000 tokens\. Manage context/,
    );
    assert.doesNotMatch(words(shown(null)), /Used in this turn/);
  });

  it('stands in the row of the item, with the words of the reply for screen readers', () => {
    const rows = markup(shown(USES));
    assert.equal(rows.match(/class="item-use"/g)?.length, 2);
    assert.match(rows, /title=edited: src\/a\.ts\ncited: src\/a\.ts:1\s*>.*?edited<.*?sr-only">edited: src\/a\.ts, cited: src\/a\.ts:1</s);
  });
});
