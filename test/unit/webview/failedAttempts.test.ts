import assert from 'node:assert/strict';
import type { FailedAttempt } from '../../../src/protocol/panel/entries.js';
import { failedAttempts, failuresEntry } from '../../../webview/chat/notes/failedAttempts.js';
import type { EntryScope } from '../../../webview/chat/request/scope.js';
import { markup } from '../../support/webview/markup.js';

const FAILED: FailedAttempt = {
  ...{ id: 'a', text: 'House: Rate limit reached.', status: 429, at: 0, durationMs: 10, waitMs: null },
  ...{ isUnbilled: true, cost: null, isAtLeast: false, isPretended: false },
};

function words(shown: unknown): string {
  return markup(shown)
    .replaceAll('=>', '')
    .replaceAll(/<[^>]*>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\d\d:\d\d|Jan 1|1970/g, '')
    .trim();
}

const rows = (...changes: Partial<FailedAttempt>[]): string =>
  words(
    failedAttempts(
      changes.map((change) => ({ ...FAILED, ...change })),
      { chatId: 'c' },
    ),
  );

describe('The list of failed requests', () => {
  it('says a reason that is repeated once', () => {
    assert.equal(rows({}, {}, {}).split('Rate limit reached').length - 1, 1);
    assert.equal(rows({}, { text: 'Gone.', status: 404 }, {}).split('Rate limit reached').length - 1, 2);
  });

  it('names the status unless the reason does', () => {
    assert.match(rows({}), /HTTP 429 · House: Rate limit reached\./);
    assert.match(rows({ status: null }), /^House: Rate/);
    assert.match(rows({ text: 'House: Server error (HTTP 500).', status: 500 }), /^House: Server error/);
  });

  it('has the price of each, and does not show an unknown price as nothing', () => {
    assert.match(rows({}), /not billed/);
    assert.match(rows({ isUnbilled: false }), /price unknown/);
    assert.match(rows({ isUnbilled: false, cost: 0.0123 }), /\$0\.0123/);
    assert.match(rows({ isUnbilled: false, cost: 0.0123, isAtLeast: true }), /at least \$0\.0123/);
  });

  it('opens the request of each', () => {
    assert.equal(markup(failedAttempts([FAILED, { ...FAILED, id: 'b' }], { chatId: 'c' })).split('Show this request').length - 1, 4);
  });
});

describe('The line about failed requests of a running reply', () => {
  const line = (failures: readonly FailedAttempt[], isOpen: boolean): string => {
    const scope = { chatId: 'c', isOpen: () => isOpen } as unknown as EntryScope;
    return words(failuresEntry({ kind: 'failures', id: 'f', text: 'Failed 2 times: Gone.', failures }, scope));
  };

  it('has the details of several requests, and of a single one only the button', () => {
    assert.equal(line([FAILED], false), 'Failed 2 times: Gone.');
    assert.equal(line([FAILED, FAILED], false), 'Failed 2 times: Gone. Details');
    assert.match(
      line([FAILED, { ...FAILED, text: 'Gone.', status: null }], true),
      /Details HTTP 429 · House: Rate limit reached\..*Gone\./,
    );
  });

  it('does not repeat in the details a reason that all have', () => {
    assert.doesNotMatch(line([FAILED, FAILED], true), /Rate limit/);
  });
});
