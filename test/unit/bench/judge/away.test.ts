import assert from 'node:assert/strict';
import { waitingCosts } from '../../../bench/judge/away.js';
import { generateTrace, playTrace } from '../../../bench/judge/traces.js';

const MINUTE = 60;

describe('a simulated chat whose user goes away', () => {
  it('is the same as one without, if the user asks for no summary', () => {
    const pauses: number[] = [];
    const played = playTrace('qa-short', 1, (requests, until) => {
      pauses.push(until - (requests.at(-1)?.at ?? NaN));
      return null;
    });
    assert.deepEqual(played, generateTrace('qa-short', 1));
    assert.ok(pauses.slice(0, -1).every((pause) => pause >= 8 && pause <= 5 * MINUTE));
    assert.equal(pauses.at(-1), Infinity);
  });

  it('goes on with the same content after a summary that the user asked for', () => {
    let asked = 0;
    const played = playTrace('qa-short', 1, (requests) => {
      asked += 1;
      return asked === 3 ? (requests.at(-1)?.at ?? NaN) + 2 : null;
    });
    const whole = generateTrace('qa-short', 1).requests;
    const at = played.requests.findIndex(({ kind }) => kind === 'summary');
    const [summary, next, without] = [played.requests[at], played.requests[at + 1], whole[at]];
    assert.equal(summary?.at, (played.requests[at - 1]?.at ?? NaN) + 2);
    assert.equal(next?.at, without?.at);
    const tokens = (request: typeof next, isMessage: boolean): number =>
      (request?.items ?? []).reduce((sum, item) => sum + ((item.kind === 'message') === isMessage ? item.tokens : 0), 0);
    assert.equal(tokens(next, false), tokens(without, false));
    assert.ok(tokens(next, true) !== tokens(without, true));
    assert.equal(next?.items.at(-1)?.tokens, without?.items.at(-1)?.tokens);
  });
});

describe('the costs of waiting', () => {
  it('are none if no cache expires and nothing is offered', () => {
    const left = waitingCosts('qa-short', 3, 'leave');
    assert.equal(left.whole, left.lasting);
    assert.deepEqual(waitingCosts('qa-short', 3, 'asPriced'), left);
  });

  it('are those of cold starts, or of keep-warm requests, which read the cache', () => {
    const left = waitingCosts('measured-chat', 5_010, 'leave');
    assert.ok(left.whole > 1.05 * left.lasting);
    assert.deepEqual([left.keepingWarm, left.keepWarms, left.summaries], [0, 0, 0]);
    const answered = waitingCosts('measured-chat', 5_010, 'asPriced');
    assert.equal(answered.keepWarms, 3);
    assert.ok(answered.keepingWarm > 0 && answered.keepingWarm < 0.02 * left.whole);
    assert.ok(answered.whole < 0.9 * left.whole);
  });
});
