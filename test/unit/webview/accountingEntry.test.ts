import assert from 'node:assert/strict';
import type { AccountingEntry, UsageTotals } from '../../../src/protocol/panel/entries.js';
import { accountingEntry } from '../../../webview/chat/notes/accountingEntry.js';
import type { EntryScope } from '../../../webview/chat/request/scope.js';
import { markup } from '../../support/webview/markup.js';

const EDITED: AccountingEntry = {
  kind: 'accounting',
  id: 'x',
  reason: 'edited',
  isAfterError: false,
  discardedMessages: 6,
  discarded: null,
  soFar: {
    attempts: 4,
    promptTokens: 300,
    cacheReadInputTokens: 1_000,
    cacheCreationInputTokens: 50,
    completionTokens: 80,
    cost: 0.0045,
    unknownAttempts: 0,
  },
  rewindId: 'r',
};

function shown(changes: Partial<AccountingEntry>): string {
  const scope: Pick<EntryScope, 'isLocked' | 'chatId'> = { isLocked: false, chatId: 'c' };
  return (
    markup(accountingEntry({ ...EDITED, ...changes }, scope as EntryScope))
      // A handler between the quotes of a button contains `=>`.
      .replaceAll(/<button.*\}>/gs, ' ')
      .replaceAll(/<[^>]*>/gs, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}

const SOME: UsageTotals = {
  attempts: 2,
  promptTokens: 100,
  cacheReadInputTokens: 1_000,
  cacheCreationInputTokens: 50,
  completionTokens: 30,
  cost: 0.0021,
  unknownAttempts: 0,
};

describe('The line where a conversation branched off', () => {
  it('says why, how many messages are on the other branch, what they used, and what the whole chat had used by then, and leads back', () => {
    assert.equal(shown({}), 'Message edited · 6 messages on another branch whole chat up to here 1,430 tokens $0.0045 Restore');
    assert.equal(
      shown({ discarded: SOME }),
      'Message edited · 6 messages on another branch 1,150 in 30 out $0.0021 whole chat up to here 1,430 tokens $0.0045 Restore',
    );
    const nothing = { ...SOME, promptTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, completionTokens: 0, cost: null };
    assert.match(
      shown({ discarded: { ...nothing, unknownAttempts: 1 } }),
      /on another branch usage unknown whole chat/,
      'unknown is not 0',
    );
    const free = { soFar: { ...SOME, cost: null } };
    assert.equal(
      shown({ ...free, reason: 'retried', discardedMessages: 1 }),
      'Retry · 1 message on another branch whole chat up to here 1,180 tokens Restore',
    );
    assert.equal(
      shown({ ...free, reason: 'retried', isAfterError: true, discardedMessages: 0 }),
      'Retry after error whole chat up to here 1,180 tokens Restore',
    );
    assert.equal(
      shown({ reason: 'broughtBack', discardedMessages: 2 }),
      'Restored · 2 messages on another branch whole chat up to here 1,430 tokens $0.0045 Undo',
    );
  });

  it('says nothing of what gave way where no request was made', () => {
    assert.equal(shown({ discarded: { ...SOME, attempts: 0 } }), shown({}));
  });

  it('says that a sum is a lower bound where requests are unknown', () => {
    assert.match(shown({ soFar: { ...SOME, unknownAttempts: 2 } }), / whole chat up to here 1,180 tokens ?at least \$0\.0021 /);
  });

  it('has all figures in its tooltip', () => {
    const html = markup(accountingEntry({ ...EDITED, discarded: SOME }, { isLocked: false, chatId: 'c' } as EntryScope));
    assert.match(html, /Usage of the other branch: 2 requests · 100 uncached, 1,000 cached, 50 written in · 30 out · \$0\.0021/);
    assert.match(
      html,
      /Usage of the whole chat up to here, with all branches: 4 requests · 300 uncached, 1,000 cached, 50 written in · 80 out · \$0\.0045/,
    );
  });
});
