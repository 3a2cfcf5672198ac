import assert from 'node:assert/strict';
import type { ReplyUses } from '../../../src/protocol/panel/requestRows.js';
import { contextInBrief, contextUsed } from '../../../webview/chat/request/contextUsed.js';
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

const CONTEXT = { summary: '2 files', totalTokens: 9, basis: 'exact' } as const;

function shown(uses: ReplyUses | null): unknown {
  const groups = [
    { type: 'rule', items: [rule] },
    { type: 'tool', items: [tool] },
    { type: 'file', items: [fileA, fileB, gone] },
  ] as const;
  const scope = { chatId: 'c', hasSwitches: false, prices: null, basis: 'exact', isOpen: () => false, toggle: () => undefined } as const;
  return contextUsed({ context: CONTEXT, rows: contextRows(groups, [], {}), uses, isOpen: true, scope });
}

describe('The use of items by a turn', () => {
  it('is a figure after the summary, of items or else of tools', () => {
    assert.equal(contextInBrief(CONTEXT, USES), '2 files · 1 of 3 used');
    assert.equal(contextInBrief(CONTEXT, { ...USES, items: 0 }), '2 files · 1 of 1 tool used');
    assert.equal(contextInBrief(CONTEXT, null), '2 files');
  });

  it('begins the open details: unused items other than rules with their size, then what was used', () => {
    const first =
      /^Not used in this turn: 1 item with 2,000 tokens\. Manage context Used: 1 of 3 items, 1 of 1 tool\. Rules can work without a quote\./;
    assert.match(words(shown(USES)), first);
    const all = {
      ...USES.uses,
      'file:src/b.ts': [{ how: 'named', where: 'b.ts' }],
      'rule:Tests': [{ how: 'quoted', where: 'a' }],
    } as const;
    assert.match(words(shown({ ...USES, uses: all })), /^Used: 3 of 3 items, 1 of 1 tool\. .*Context window/);
    assert.doesNotMatch(words(shown(null)), /used/i);
  });

  it('stands in the row of the item, with the words of the reply for screen readers', () => {
    const rows = markup(shown(USES));
    assert.equal(rows.match(/class="item-use"/g)?.length, 2);
    assert.match(rows, /title=edited: src\/a\.ts\ncited: src\/a\.ts:1\s*>.*?edited<.*?sr-only">edited: src\/a\.ts, cited: src\/a\.ts:1</s);
  });
});
