import assert from 'node:assert/strict';
import { onOpenSummary } from '../../../webview/chat/openSummary.js';
import type { ToHost } from '../../../src/protocol/toHost.js';
import { assistantEntry as assistant } from '../../../webview/chat/entries/assistantEntry.js';
import { menuItems, messageMenu, pinned } from '../../../webview/chat/entries/messageMenu.js';
import type { EntryScope } from '../../../webview/chat/entries/scope.js';
import { userEntry as user } from '../../../webview/chat/entries/userEntry.js';
import { receive } from '../../../webview/shared/events.js';
import { replied, said } from '../../../webview/preview/states/parts.js';
import { markup } from '../../support/webview/markup.js';

function scope(changes: Partial<EntryScope>): EntryScope {
  return { chatId: 'c', isLocked: false, from: new EventTarget(), isOpen: () => false, ...changes } as EntryScope;
}

describe('The menu of a message', () => {
  function chosen(isPinned: boolean): readonly (readonly [string, ToHost | undefined])[] {
    const from = new EventTarget();
    const posted: ToHost[] = [];
    receive(
      from,
      (message) => void posted.push(message),
      () => undefined,
    );
    onOpenSummary(
      from,
      () => ({ chat: { id: 'c' } }),
      (message) => void posted.push(message),
    );
    return menuItems({ id: 'm', isPinned }, scope({ from })).map(({ label, onChoose }) => {
      onChoose();
      return [label, posted.at(-1)];
    });
  }

  it('pins it or takes the pin away, and summarizes up to it', () => {
    const summarize = ['Summarize up to here', { type: 'planSummary', chatId: 'c', upTo: 'm' }];
    assert.deepEqual(chosen(false), [['Pin', { type: 'pin', chatId: 'c', messageId: 'm' }], summarize]);
    assert.deepEqual(chosen(true), [['Unpin', { type: 'unpin', chatId: 'c', messageId: 'm' }], summarize]);
  });

  it('is off while the chat is locked, and for a reply that is no message yet', () => {
    const entry = { id: 'm', isPinned: false };
    assert.match(markup(messageMenu(entry, scope({}), true)), /isDisabled=false/);
    assert.match(markup(messageMenu(entry, scope({ isLocked: true }), true)), /isDisabled=true/);
    assert.match(markup(assistant(replied('a', [], { status: 'interrupted' }), scope({}))), /isDisabled=true/);
    assert.match(markup(assistant(replied('a', [], {}), scope({}))), /isDisabled=false/);
  });

  it('is there for a message that was sent, and for no other of the user', () => {
    assert.match(markup(user(said('u', 'Why?', {}), scope({}))), /<loupe-menu/);
    for (const status of ['unsent', 'queued'] as const) {
      assert.doesNotMatch(markup(user(said('u', 'Why?', { status }), scope({}))), /<loupe-menu/);
    }
  });
});

describe('A pinned message', () => {
  it('shows the pin, as a button that is pressed', () => {
    assert.equal(markup(pinned({ id: 'm', isPinned: false }, scope({}))), '');
    for (const entry of [
      user(said('u', 'Why?', { isPinned: true }), scope({})),
      assistant(replied('a', [], { isPinned: true }), scope({})),
    ]) {
      assert.match(markup(entry), /class="pin".*aria-label=Pinned.*aria-pressed=true/s);
    }
  });
});
