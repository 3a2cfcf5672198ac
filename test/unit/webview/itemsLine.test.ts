import assert from 'node:assert/strict';
import type { ContextChip, ContextTotal } from '../../../src/protocol/panel/composer.js';
import { chipsLine, itemsButton, itemsLine } from '../../../webview/chat/composer/itemsLine.js';
import { markup, words } from '../../support/webview/markup.js';

const FOLDER: ContextChip = { key: 'folder:src', name: 'src/', files: 5, tokens: 50, warning: null };
const FILES: ContextTotal = { items: 9, kinds: [['file', 9]], tokens: 90, folded: 0, foldedWarnings: 0, tools: 0, toolsNotOffered: 0 };
const nothing = (): void => undefined;
const FOLDED = { isUnfolded: false, onFold: nothing, isOpen: false, onToggle: nothing, onManage: nothing, onRemoveAll: nothing };
const UNFOLDED = { ...FOLDED, isUnfolded: true };

describe('The line of items above the message box', () => {
  const line = (total: Partial<ContextTotal>): string => words(itemsLine({ ...FILES, ...total }, FOLDED));

  it('names the kinds of items, what the user wrote first, and leaves out kinds without items', () => {
    const kinds: ContextTotal['kinds'] = [
      ['rule', 3],
      ['reference', 1],
      ['file', 3],
      ['page', 2],
    ];
    assert.equal(line({ items: 9, kinds, tools: 31 }), '3 rules · 1 reference · 31 tools · 3 files · 2 web pages');
    assert.equal(line({ items: 0, kinds: [], tools: 1 }), '1 tool');
  });

  it('says how many tools the model accepts', () => {
    assert.equal(line({ items: 0, kinds: [], tools: 5, toolsNotOffered: 26 }), '5 of 31 tools');
    assert.equal(line({ items: 1, kinds: [['rule', 1]], toolsNotOffered: 2 }), '1 rule · 2 tools not offered');
  });

  it('is one number in a low panel, with the tools', () => {
    assert.equal(words(itemsButton({ ...FILES, tools: 31 }, FOLDED)), '40 items');
  });
});

describe('The line above the chips', () => {
  const shown = (chips: readonly ContextChip[], total: Partial<ContextTotal>, options: typeof FOLDED): string =>
    markup(chipsLine(chips, { ...FILES, ...total }, options));

  it('names the folder when one folder has all items without a chip of their own', () => {
    assert.match(shown([FOLDER], { folded: 5 }, UNFOLDED), /Show the 5 files of src\//);
    assert.match(shown([FOLDER], { folded: 7 }, UNFOLDED), /Show 7 more/);
    assert.match(shown([FOLDER, { ...FOLDER, name: 'docs/' }], { folded: 10 }, UNFOLDED), /Show 10 more/);
  });

  it('is there while the items are folded only if a hidden item has a warning', () => {
    assert.equal(shown([FOLDER], { folded: 7 }, FOLDED), '');
    assert.match(shown([FOLDER], { folded: 7, foldedWarnings: 2 }, FOLDED), /Show 2 more</);
    assert.match(shown([FOLDER], { folded: 7, foldedWarnings: 2 }, UNFOLDED), /Show 7 more \(2 with a warning\)/);
  });
});
