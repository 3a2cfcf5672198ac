import assert from 'node:assert/strict';
import type { ChatListItem } from '../../../src/protocol/panel/view.js';
import { LISTED_CHAT } from '../../support/listedChat.js';
import { markup, words } from '../../support/webview/markup.js';
import { chatBadge } from '../../../webview/chat/chatList/chatFacts.js';

describe('The badge of a chat in the list', () => {
  const said = (changes: Partial<ChatListItem>): string => words(chatBadge({ ...LISTED_CHAT, ...changes }));

  it('is not there where nothing is remarkable', () => {
    assert.equal(said({}), '');
  });

  it('says in words, beside an icon that screen readers skip, what wants to be looked at', () => {
    assert.equal(said({ running: true }), 'Running');
    assert.equal(said({ unsaved: true }), 'Unsaved');
    assert.equal(said({ damage: { lines: 1 } }), '1 damaged line');
    assert.equal(said({ damage: { lines: 1_204 } }), '1,204 damaged lines');
    assert.equal(said({ damage: { lines: 0 } }), 'Damaged');
    assert.match(markup(chatBadge({ ...LISTED_CHAT, unsaved: true })), /title=Changes of this chat are lost.*aria-hidden="true"/s);
  });

  it('is one, the most urgent: what may be lost, then what goes on, then what stays for good', () => {
    const damage = { lines: 2 };
    assert.equal(said({ unsaved: true, running: true, damage }), 'Unsaved');
    assert.equal(said({ running: true, damage }), 'Running');
  });
});
