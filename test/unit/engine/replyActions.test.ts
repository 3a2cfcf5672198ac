import assert from 'node:assert/strict';
import type { FailureAction } from '../../../src/engine/failures/entry.js';
import { FAILURES, replyActions, type FailureCode } from '../../../src/engine/failures/failures.js';

/** The actions of all codes for which *Retry* is not all that helps, the most helpful action first. */
const EXPECTED: readonly (readonly [readonly FailureAction[], readonly FailureCode[]])[] = [
  [
    ['setKeyAndRetry', 'retry'],
    [
      ...(['provider.badKey', 'provider.keyUnknown', 'provider.keyOfOtherAddress', 'provider.keyNotGiven'] as const),
      ...(['http.keyMissing', 'http.keyRefused', 'http.notAllowed', 'http.notAllowedWithoutKey'] as const),
    ],
  ],
  [
    ['editProvider', 'retry'],
    [
      ...(['http.notHere', 'provider.redirects', 'provider.page', 'provider.noReply', 'provider.badStream', 'provider.notJson'] as const),
      ...(['connection.unknownHost', 'connection.refused', 'connection.unreachable', 'connection.badPort'] as const),
      ...(['connection.certificateName', 'connection.notSecure'] as const),
    ],
  ],
  [
    ['selectModel', 'retry'],
    [
      ...(['http.modelGone', 'model.notAvailable', 'vscode.notOffered', 'vscode.modelGone'] as const),
      ...(['http.noCredit', 'vscode.quota', 'summary.refused', 'title.refused'] as const),
      ...(['http.overloaded', 'http.serverFailed', 'vscode.overloaded', 'practice.serverFailed'] as const),
      ...(['summary.noRoom', 'summary.calledTool'] as const),
      ...(['page.status', 'page.redirects', 'page.badRedirect', 'page.tooLarge', 'page.textTooLarge', 'page.type'] as const),
      'page.notAllowed',
    ],
  ],
  [
    ['retry', 'selectModel'],
    ['http.rateLimit', 'vscode.blocked', 'vscode.rateLimited', 'vscode.tooManyRequests', 'practice.rateLimit'],
  ],
  [['summarize', 'raiseLimit', 'selectModel', 'retry'], ['request.overBudget']],
  [
    ['summarize', 'selectModel', 'retry'],
    ['http.tooLong', 'vscode.tooLong', 'practice.tooLong', 'practice.playedTooLong'],
  ],
  [['editMessage', 'selectModel', 'retry'], ['http.contentRefused']],
  [['excludeTool', 'selectModel', 'retry'], ['http.toolRefused']],
  [
    ['goOnOnce', 'openSpendSettings', 'retry'],
    ['spend.chatCap', 'spend.dayCap'],
  ],
  [
    ['retry', 'showLog'],
    ['internal.defect', 'internal.unexpected', 'internal.viewOutOfStep', 'symbols.noThread'],
  ],
];

describe('the actions after a failed reply', () => {
  const named = new Map(EXPECTED.flatMap(([actions, codes]) => codes.map((code) => [code, actions] as const)));

  for (const code of Object.keys(FAILURES) as FailureCode[]) {
    const expected = named.get(code) ?? ['retry'];
    it(`are ${expected.join(', ')} after ${code}`, () => {
      assert.deepEqual(replyActions(code), expected);
    });
  }

  it('are Retry after a code of another version of Loupe', () => {
    assert.deepEqual([replyActions('later.code'), replyActions('toString')], [['retry'], ['retry']]);
  });
});
