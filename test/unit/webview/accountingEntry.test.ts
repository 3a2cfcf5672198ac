import assert from 'node:assert/strict';
import type { AccountingEntry } from '../../../src/protocol/noteEntries.js';
import { accountingEntry } from '../../../webview/chat/entries/accountingEntry.js';
import type { EntryScope } from '../../../webview/chat/entries/scope.js';
import { markup } from '../../support/webview/markup.js';

const EDITED: AccountingEntry = {
  kind: 'accounting',
  id: 'x',
  reason: 'edited',
  discardedMessages: 6,
  costSoFar: 0.0045,
  unknownRequests: 0,
  rewindId: 'r',
};

function shown(changes: Partial<AccountingEntry>): string {
  const scope: Pick<EntryScope, 'isLocked' | 'chatId'> = { isLocked: false, chatId: 'c' };
  return (
    markup(accountingEntry({ ...EDITED, ...changes }, scope as EntryScope))
      // A handler between the quotes of a button has arrows.
      .replaceAll(/<button.*\}>/gs, ' ')
      .replaceAll(/<[^>]*>/gs, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}

describe('The line where a conversation branched off', () => {
  it('says what was set aside and what the whole chat had cost by then, and leads back', () => {
    assert.equal(shown({}), 'Edited · 6 messages set aside whole chat by then $0.0045 Bring back');
    assert.equal(shown({ reason: 'retried', discardedMessages: 1, costSoFar: null }), 'Retried · 1 message set aside Bring back');
    assert.equal(
      shown({ reason: 'broughtBack', discardedMessages: 2 }),
      'Brought back · 2 messages set aside whole chat by then $0.0045 Undo',
    );
  });

  it('says that the sum is a lower bound where requests are unknown', () => {
    assert.match(shown({ unknownRequests: 2 }), / whole chat by then at least \$0\.0045 2 requests unknown /);
  });
});
