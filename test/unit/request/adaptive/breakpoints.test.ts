import assert from 'node:assert/strict';
import { outlivedShare, adaptiveBreakpoints, type BreakpointPlan } from '../../../../src/engine/request/layout/adaptive/breakpoints.js';
import { column } from '../../../support/columns.js';

const MINUTE = 60_000;

/** Ten blocks of 1,000 tokens. The first one is the system prompt. */
const TEN: BreakpointPlan = {
  tokens: Array.from({ length: 10 }, (_, at) => (at + 1) * 1_000),
  systemEnd: 0,
  turnStart: 7,
  sent: [],
  outlived: outlivedShare([]),
  prices: { write: 1.25, read: 0.1, writeLong: 2 },
};

describe('the breakpoints of the adaptive layout', () => {
  it('are the end, the end of the turn before, and the end of the system prompt', () => {
    assert.deepEqual(adaptiveBreakpoints(TEN), [
      { at: 9, isLong: false },
      { at: 7, isLong: false },
      { at: 0, isLong: false },
    ]);
    assert.deepEqual(column(adaptiveBreakpoints({ ...TEN, systemEnd: -1, turnStart: -1 }), 'at'), [9]);
  });

  it('are also the end of the last request and its last long entry, which come before the others', () => {
    const sent = [
      { at: 3, isLong: true, isAlive: true },
      { at: 5, isLong: false, isAlive: true },
    ];
    assert.deepEqual(column(adaptiveBreakpoints({ ...TEN, sent }), 'at'), [9, 5, 3, 7, 0]);
  });

  it('do not pay for an hour in the first request, whose prefix nothing has read yet', () => {
    assert.equal(adaptiveBreakpoints(TEN)[0]?.isLong, false);
  });

  it('pay for an hour once a long prefix would be lost by a pause and little is written', () => {
    const sent = [{ at: 4, isLong: false, isAlive: true }];
    assert.equal(adaptiveBreakpoints({ ...TEN, sent })[0]?.isLong, false);
    const growing = {
      ...TEN,
      tokens: [...TEN.tokens.map((tokens) => tokens * 10), 100_400],
      sent: [{ at: 9, isLong: false, isAlive: true }],
    };
    assert.equal(adaptiveBreakpoints(growing)[0]?.isLong, true);
  });

  it('pay for no second hour while the first protects most', () => {
    const tokens = [100_000, 100_400, 100_800];
    const sent = [{ at: 1, isLong: true, isAlive: true }];
    assert.equal(adaptiveBreakpoints({ ...TEN, tokens, turnStart: 1, sent })[0]?.isLong, false);
    assert.equal(adaptiveBreakpoints({ ...TEN, tokens, turnStart: 1, sent: [{ at: 1, isLong: false, isAlive: true }] })[0]?.isLong, true);
  });

  it('count an entry that has gone as lost', () => {
    const tokens = [100_000, 100_400, 100_800];
    const sent = [{ at: 1, isLong: true, isAlive: false }];
    assert.equal(adaptiveBreakpoints({ ...TEN, tokens, sent })[0]?.isLong, false);
  });
});

describe('the probability of a pause that only an hour outlives', () => {
  it('is the measured one before a chat has pauses of its own', () => {
    assert.equal(outlivedShare([]), 0.238);
  });

  it('follows the habits of the chat', () => {
    const twenty = (ms: number): number => outlivedShare(Array.from({ length: 20 }, () => ms));
    assert.ok(twenty(10 * MINUTE) > 0.8);
    assert.ok(twenty(MINUTE) < 0.05);
    assert.ok(twenty(600 * MINUTE) < 0.05);
  });

  it('takes five minutes as short, and an hour as the most', () => {
    assert.equal(outlivedShare([5 * MINUTE]), outlivedShare([MINUTE]));
    assert.equal(outlivedShare([5 * MINUTE + 1]), outlivedShare([60 * MINUTE]));
    assert.equal(outlivedShare([60 * MINUTE + 1]), outlivedShare([MINUTE]));
  });
});
