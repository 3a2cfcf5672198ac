import assert from 'node:assert/strict';
import type { UserEntry } from '../../../src/protocol/view.js';
import type { EntryScope } from '../../../webview/chat/entries/scope.js';
import { userEntry } from '../../../webview/chat/entries/userEntry.js';
import { markup } from '../../support/webview/markup.js';

describe('A message of the user', () => {
  it('has the direction of its own text, as each block of a reply has', () => {
    const entry: UserEntry = { kind: 'user', id: 'u', text: 'שלום', at: 0, status: 'sent', isPinned: false };
    const scope = { chatId: 'c', isLocked: false, isEdited: false, isOpen: () => false } as unknown as EntryScope;
    assert.match(markup(userEntry(entry, scope)), /<div dir="auto" class="user-text/);
  });
});
