import assert from 'node:assert/strict';
import type { TitleEntry } from '../../../src/protocol/panel/entries.js';
import type { EntryScope } from '../../../webview/chat/request/scope.js';
import { words } from '../../support/webview/markup.js';
import { titleEntry } from '../../../webview/chat/conversation/entryElement.js';

const DONE: TitleEntry = {
  ...{ kind: 'title', id: 'r', status: 'done', title: 'Tides of the harbour', isFirst: true, text: null },
  requests: [
    {
      ...{ attemptId: 'a', purpose: 'title', asked: 'Write a title.', model: 'small' },
      ...{ inputTokens: 214, outputTokens: 9, cost: 0.00779, isAtLeast: false, isPretended: false },
    },
  ],
};

function shown(changes: Partial<TitleEntry>, { isLocked, isOpen }: { readonly isLocked: boolean; readonly isOpen: boolean }): string {
  const scope: Pick<EntryScope, 'isLocked' | 'chatId' | 'isOpen'> = { isLocked, chatId: 'c', isOpen: () => isOpen };
  return words(titleEntry({ ...DONE, ...changes }, scope as EntryScope));
}

const CLOSED = { isLocked: false, isOpen: false };

describe('The line of a title that a model wrote', () => {
  it('has the title, lets you rename the chat, and has the request closed below it with model and figures', () => {
    assert.match(shown({}, CLOSED), /^Title: Tides of the harbour Rename Request for a title small 214 in 9 out \$0\.0078$/);
    assert.match(shown({ isFirst: false }, { isLocked: true, isOpen: false }), /^New title: Tides of the harbour Request for a title/);
    const requests = DONE.requests.map((each) => ({ ...each, isPretended: true }));
    assert.doesNotMatch(shown({ requests }, CLOSED), /\$/, 'nobody bills the practice model');
  });

  it('shows what was asked when the request is opened', () => {
    assert.match(shown({}, { isLocked: false, isOpen: true }), /Write a title\.$/);
  });

  it('says that it is being written, with a way to end that', () => {
    assert.match(shown({ status: 'running', title: null, requests: [] }, { isLocked: true, isOpen: false }), /^Writing a title… Cancel$/);
  });

  it('says why there is none, and lets you try again', () => {
    const none = { title: null, requests: [] };
    assert.match(
      shown({ ...none, status: 'failed', text: 'The model refused to write a title. Choose another model.' }, CLOSED),
      /^No title\. The model refused to write a title\. Choose another model\. Try again/,
    );
    assert.match(
      shown({ ...none, status: 'stopped' }, CLOSED),
      /^No title: the request was stopped, or you named the chat meanwhile\. Try again/,
    );
  });
});
