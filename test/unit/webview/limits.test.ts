import assert from 'node:assert/strict';
import { parseAmount } from '../../../webview/shared/controls/limits.js';

describe('an amount in the limits', () => {
  it('may have a dollar sign, and none or nothing is no limit', () => {
    for (const [text, usd] of [
      ['0.25', 0.25],
      [' $5 ', 5],
      ['$ 1.50', 1.5],
      ['.5', 0.5],
      ['0', 0],
      ['none', null],
      ['None ', null],
      ['', null],
      ['  ', null],
    ] as const) {
      assert.deepEqual(parseAmount(text, null), { ok: true, usd }, text);
    }
  });

  it('is refused with an example where it is not a plain amount', () => {
    for (const text of ['five', '-1', '1,000', '0,25', '1e9', 'Infinity', '1.2.3', '€5']) {
      const parsed = parseAmount(text, null);
      assert.ok(!parsed.ok, text);
      assert.match(parsed.problem, /such as 0\.25, or none/);
    }
  });

  it('is at most the limit of each chat', () => {
    assert.deepEqual(parseAmount('5', 5), { ok: true, usd: 5 });
    assert.deepEqual(parseAmount('5.01', 5), { ok: false, problem: 'At most $5.00, the limit of each chat in the settings.' });
    assert.deepEqual(parseAmount('none', 5), { ok: true, usd: null });
  });
});
