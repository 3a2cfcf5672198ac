import assert from 'node:assert/strict';
import type { ContextChip } from '../../../src/protocol/panel/composer.js';
import { markup } from '../../support/webview/markup.js';
import { chipsLine } from '../../../webview/chat/composer/chips.js';

const FOLDER: ContextChip = { key: 'folder:src', name: 'src/', files: 5, tokens: 50, warning: null };
const OPTIONS = { chatId: 'c', isOpen: false, onToggle: () => undefined, onManage: () => undefined, onRemoveAll: () => undefined };

function shown(chips: readonly ContextChip[], folded: number): string {
  return markup(chipsLine(chips, { items: 9, files: 9, tokens: 90, folded, foldedWarnings: 0, tools: 0, toolsNotOffered: 0 }, OPTIONS));
}

describe('The line above the chips', () => {
  it('names the folder where all that has no chip of its own is in it', () => {
    assert.match(shown([FOLDER], 5), /Show the 5 files of src\//);
    assert.match(shown([FOLDER], 7), /Show 7 more/);
    assert.match(shown([FOLDER, { ...FOLDER, name: 'docs/' }], 10), /Show 10 more/);
  });
});
