import assert from 'node:assert/strict';
import { replyInWords } from '../../../src/protocol/requestPrice.js';
import {
  age,
  clock,
  columnPrice,
  markedPrice,
  roughPrice,
  signedTokens,
  counted,
  duration,
  fileSize,
  percent,
  price,
  remaining,
  shortTokens,
  tokens,
  tokensWithUnit,
} from '../../../webview/shared/numbers.js';

function table<T>(format: (value: T) => string, rows: readonly (readonly [T, string])[]): void {
  for (const [value, text] of rows) {
    assert.equal(format(value), text);
  }
}

describe('Figures', () => {
  it('writes tokens with thousands separators, and unknown as a word', () => {
    table(tokens, [
      [0, '0'],
      [612, '612'],
      [51_204, '51,204'],
      [1_000_000, '1,000,000'],
      [null, 'unknown'],
    ]);
    assert.equal(tokensWithUnit(1, 'exact'), '1 token');
    assert.equal(tokensWithUnit(19_310, 'estimate'), '≈ 19,310 tokens');
    assert.equal(tokensWithUnit(19_310, 'atLeast'), '≥ 19,310 tokens');
  });

  it('counts a wait down in whole seconds, to 0 and no further', () => {
    table(remaining, [
      [59_001, '1 min 0 s'],
      [58_999, '59 s'],
      [65_000, '1 min 5 s'],
      [1, '1 s'],
      [0, '0 s'],
      [-5_000, '0 s'],
    ]);
  });

  it('shortens tokens for chips', () => {
    table(shortTokens, [
      [0, '0'],
      [999, '999'],
      [1_000, '1.0k'],
      [1_940, '1.9k'],
      [16_240, '16.2k'],
      [99_949, '99.9k'],
      [99_950, '100k'],
      [999_499, '999k'],
      [999_500, '1.0M'],
      [1_234_567, '1.2M'],
    ]);
  });

  it('writes prices with four decimals below a dollar, and keeps the zeros that make them compare', () => {
    table(price, [
      [0, '$0.00'],
      [0.0000012, '< $0.0001'],
      [0.00011, '$0.0001'],
      [0.00123456, '$0.0012'],
      [0.0079, '$0.0079'],
      [0.00999999, '$0.0100'],
      [0.5, '$0.5000'],
      [0.99999, '$1.00'],
      [1.5, '$1.50'],
      [12.345, '$12.35'],
      [1_234.5, '$1,234.50'],
    ]);
  });

  it('writes prices that are known roughly with two digits', () => {
    table(roughPrice, [
      [0, '$0.00'],
      [0.00001, '< $0.0001'],
      [0.00042, '$0.0004'],
      [0.00312, '$0.0031'],
      [0.00296, '$0.0030'],
      [0.004, '$0.0040'],
      [0.04, '$0.040'],
      [0.0135, '$0.013'],
      [0.153, '$0.15'],
      [0.3, '$0.30'],
      [0.999, '$1.00'],
      [1.234, '$1.23'],
      [345.6, '$345.60'],
    ]);
  });

  it('marks a price, unless it is less than what is written', () => {
    assert.equal(markedPrice('≤', '$0.0012'), '≤ $0.0012');
    const marked = (['≈', '≤', '≥'] as const).map((mark) => markedPrice(mark, price(0.00001)));
    assert.deepEqual(marked, ['< $0.0001', '< $0.0001', '> $0']);
  });

  it('writes what is taken off with a minus', () => {
    assert.deepEqual([signedTokens(4), signedTokens(-1_500), columnPrice(-0.0015, false)], ['4', '−1,500', '−$0.0015']);
    assert.equal(columnPrice(-0.00002, false), '−< $0.0001');
  });

  it('writes prices in columns with four decimals', () => {
    table(
      (dollars: number) => columnPrice(dollars, false),
      [
        [0, '$0.0000'],
        [0.00004, '< $0.0001'],
        [0.0001, '$0.0001'],
        [0.00123456, '$0.0012'],
        [12.5, '$12.5000'],
      ],
    );
    assert.equal(columnPrice(0.00123456, true), '≥ $0.0012');
  });

  it('writes durations', () => {
    table(duration, [
      [0, '0 ms'],
      [850, '850 ms'],
      [3_200, '3.2 s'],
      [59_949, '59.9 s'],
      [59_950, '1 min 0 s'],
      [125_000, '2 min 5 s'],
    ]);
  });

  it('writes shares', () => {
    assert.equal(percent(51_204, 100_000), '51%');
    assert.equal(percent(1, 100_000), '< 1%');
    assert.equal(percent(0, 100), '0%');
    assert.equal(percent(5, 0), '0%');
    assert.equal(percent(112_400, 100_000), '112%');
    assert.equal(percent(4_039_000, 100_000), '4,039%');
  });

  it('writes ages, also for a clock that was set back', () => {
    const now = Date.UTC(2026, 0, 31);
    const minute = 60_000;
    table(
      (passed: number) => age(now - passed, now),
      [
        [-minute, 'now'],
        [0, 'now'],
        [5 * minute, '5 min'],
        [3.9 * 60 * minute, '3 h'],
        [49 * 60 * minute, '2 d'],
        [10 * 24 * 60 * minute, '2026-01-21'],
      ],
    );
    assert.equal(counted(1, 'message'), '1 message');
    assert.equal(counted(1_200, 'line'), '1,200 lines');
  });

  it('writes sizes of texts', () => {
    table(fileSize, [
      [0, '0 bytes'],
      [1_023, '1,023 bytes'],
      [1_024, '1 KB'],
      [16_385, '16 KB'],
      [1_536, '1.5 KB'],
      [10_188, '9.9 KB'],
      [10_190, '10 KB'],
      [1_048_063, '1,023 KB'],
      [1_048_064, '1 MB'],
      [52_428_800, '50 MB'],
      [3 * 1_024 ** 3, '3 GB'],
      [5_000 * 1_024 ** 3, '5,000 GB'],
    ]);
  });

  it('writes the local time of day, and the date where it is not today', () => {
    const at = new Date(2026, 0, 5, 9, 7).getTime();
    assert.equal(clock(at, new Date(2026, 0, 5, 23, 59).getTime()), '09:07');
    assert.equal(clock(at, new Date(2026, 0, 6, 0, 0).getTime()), '2026-01-05 09:07');
  });

  it('calls no single reply typical, and gives no range of one price', () => {
    const few = { low: 0.0065, median: 0.0065, high: 0.0065, replies: 1 };
    assert.equal(replyInWords(few), 'the last one cost $0.0065');
    assert.equal(replyInWords({ ...few, replies: 4 }), 'typically $0.0065');
    assert.equal(replyInWords({ ...few, low: 0.00002, replies: 4 }), 'typically up to $0.0065');
  });
});
