import assert from 'node:assert/strict';
import type { OwnRequest, TitleRun } from '../../../src/protocol/panel/entries.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import type { MenuItem } from '../../../webview/shared/controls/menu.js';
import type { EntryScope } from '../../../webview/chat/request/scope.js';
import { titleInWords, titleItems } from '../../../webview/chat/shell/titleItems.js';
import { titleEntry } from '../../../webview/chat/conversation/entryElement.js';
import { words } from '../../support/webview/markup.js';

const REQUEST: OwnRequest = {
  ...{ attemptId: 'a', purpose: 'title', asked: 'Write a title.', model: 'small' },
  ...{ inputTokens: 214, outputTokens: 9, cost: 0.00779, isAtLeast: false, isPretended: false },
};

describe('The title of the chat in the header', () => {
  const chat = (titleRun: TitleRun | null, readOnly: string | null): ChatView =>
    ({ id: 'c', title: 'Tides', titleRun, readOnly }) as ChatView;
  const posted: ToHost[] = [];
  const items = (titleRun: TitleRun | null, readOnly: string | null): readonly MenuItem[] =>
    titleItems(chat(titleRun, readOnly), (message) => posted.push(message));
  const done: TitleRun = { status: 'done', requests: [REQUEST] };

  it('has its request, with its price, and a way to rename the chat in the menu', () => {
    const [request, rename, ...others] = items(done, null);
    assert.deepEqual([request?.label, request?.note, rename?.label, others], ['Request for the title', '$0.0078', 'Rename…', []]);
    assert.match(request?.detail ?? '', /small: 214 tokens in, 9 out, \$0\.0078$/);
    request?.onChoose();
    rename?.onChoose();
    assert.deepEqual(posted.splice(0), [
      { type: 'showRequest', chatId: 'c', messageId: 'a' },
      { type: 'askTitle', chatId: 'c' },
    ]);
  });

  it('can be cancelled while it is written, and keeps its request in a chat that cannot be changed', () => {
    const labels = (status: TitleRun['status'], readOnly: string | null): string[] =>
      items({ ...done, status }, readOnly).map(({ label }) => label);
    assert.deepEqual(labels('running', null), ['Request for the title', 'Stop writing the title']);
    assert.deepEqual(labels('done', 'Written by a newer Loupe.'), ['Request for the title']);
    assert.deepEqual(
      items(null, null).map(({ label }) => label),
      ['Rename…'],
    );
  });

  it('says its price in its tooltip, and says so when the price is unknown or nobody is billed', () => {
    const tooltip = (changes: Partial<OwnRequest>): string =>
      titleInWords(chat({ status: 'done', requests: [{ ...REQUEST, ...changes }] }, null));
    assert.equal(tooltip({}), 'Tides\nTitle by small: 214 tokens in, 9 out, $0.0078');
    assert.match(tooltip({ cost: null }), /price unknown$/);
    assert.match(tooltip({ isPretended: true }), /free$/);
    assert.match(tooltip({ isAtLeast: true }), /≥ \$0\.0078$/);
    assert.match(titleInWords(chat({ status: 'running', requests: [] }, null)), /^Tides\nThe model is writing a title$/);
  });
});

describe('The line of a title that could not be written', () => {
  const shown = (isLocked: boolean, isOpen: boolean): string => {
    const scope: Pick<EntryScope, 'isLocked' | 'chatId' | 'isOpen'> = { isLocked, chatId: 'c', isOpen: () => isOpen };
    const text = 'The model refused to write a title. Choose another model.';
    return words(titleEntry({ kind: 'title', id: 'r', text, requests: [REQUEST] }, scope as EntryScope));
  };

  it('says why, lets you try again, and has the request closed below it', () => {
    assert.match(
      shown(false, false),
      /^No title\. The model refused to write a title\. Choose another model\. Try again Request for a title small/,
    );
    assert.doesNotMatch(shown(true, false), /Try again/);
    assert.match(shown(false, true), /Write a title\.$/);
  });
});
