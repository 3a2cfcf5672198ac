import assert from 'node:assert/strict';
import type { TitleEntry } from '../../../src/protocol/noteEntries.js';
import { titleEntry } from '../../../webview/chat/entries/titleEntry.js';
import type { EntryScope } from '../../../webview/chat/entries/scope.js';
import { markup } from '../../support/webview/markup.js';

const DONE: TitleEntry = {
  ...{ kind: 'title', id: 'r', status: 'done', title: 'Tides of the harbour', isFirst: true, text: null },
  ...{ inputTokens: 214, outputTokens: 9, cost: 0.00779, isPretended: false, attemptId: 'a' },
};

function shown(changes: Partial<TitleEntry>, isLocked: boolean): string {
  const scope: Pick<EntryScope, 'isLocked' | 'chatId'> = { isLocked, chatId: 'c' };
  return (
    markup(titleEntry({ ...DONE, ...changes }, scope as EntryScope))
      // A handler between the quotes of a button has arrows.
      .replaceAll(/<button.*?\}>/gs, ' ')
      .replaceAll(/<[^>]*>/gs, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}

describe('The line of a title that a model wrote', () => {
  it('has the title and what it took, and lets you rename the chat', () => {
    assert.match(shown({}, false), /^Title: Tides of the harbour 214 in ?9 out ?\$0\.0078 Rename/);
    assert.match(shown({ isFirst: false }, true), /^New title: Tides of the harbour 214 in ?9 out ?\$0\.0078(?! Rename)/);
    assert.doesNotMatch(shown({ isPretended: true }, false), /\$/, 'nobody bills the practice model');
  });

  it('says that it is being written, with a way to end that', () => {
    assert.match(shown({ status: 'running', title: null, inputTokens: null, outputTokens: null }, true), /^Writing a title… Cancel/);
  });

  it('says why there is none, and lets you try again', () => {
    const none = { title: null, inputTokens: null, outputTokens: null, cost: null };
    assert.match(
      shown({ ...none, status: 'failed', text: 'The title was refused.' }, false),
      /^No title\. The title was refused\. Try again/,
    );
    assert.match(shown({ ...none, status: 'stopped' }, false), /^No title: it was stopped, or the chat was named meanwhile\. Try again/);
  });
});
