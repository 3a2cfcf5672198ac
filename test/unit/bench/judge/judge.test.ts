import assert from 'node:assert/strict';
import { BreakpointCache } from '../../../bench/judge/cacheModel.js';
import { ANTHROPIC } from '../../../bench/judge/cacheRules.js';
import { blockOf, type Block, type ChatRequest, type Trace } from '../../../bench/judge/content.js';
import { judge, type Judged } from '../../../bench/judge/judge.js';
import type { Contestant, Pings } from '../../../bench/judge/policy.js';
import { geometricMean, standingOf } from '../../../bench/judge/standing.js';
import { itemOf, requestOf } from '../../../support/bench/judged.js';

const RULE = itemOf('rule', 'rule', 2_000);

/** A client that sends what is required, and marks its end. */
function marking(pings: Pings | null, plan: (request: ChatRequest) => readonly Block[]): Contestant {
  return { name: 'marking', isClient: false, pings, create: () => ({ plan }) };
}

const marked = ({ items }: ChatRequest): readonly Block[] => items.map((item) => ({ ...blockOf(item), breakpoint: '5m' }));

/** Requests that hold the rule, at these seconds. */
const ruleAt = (...times: readonly number[]): Trace => ({
  name: 'by hand',
  seed: 1,
  requests: times.map((at) => requestOf(at, RULE)),
});

const judged = (trace: Trace, contestant: Contestant): Judged => judge(trace, contestant, new BreakpointCache(ANTHROPIC));

describe('the judge of layouts', () => {
  it('sums up what the requests of a chat cost', () => {
    const expected = { cost: 2_000 * 1.35, tokens: 4_000, read: 2_000, written: 2_000, extra: 0, isExact: true };
    assert.deepEqual(judged(ruleAt(0, 300), marking(null, marked)), expected);
  });

  it('counts what no request requires', () => {
    const older = requestOf(0, RULE, itemOf('rule', 'older', 3_000));
    const trace: Trace = { ...ruleAt(), requests: [older, requestOf(1, RULE)] };
    const { extra, isExact } = judged(
      trace,
      marking(null, () => marked(older)),
    );
    assert.deepEqual([extra, isExact], [3_000, false]);
  });

  it('pays for pings, as many as there are in a silence, and what they keep', () => {
    const cost = (until: number): number => judged(ruleAt(0, until), marking({ everySeconds: 290, most: 2 }, marked)).cost;
    assert.equal(cost(290), 2_500 + 200);
    assert.equal(cost(291), 2_500 + 210 + 200);
    assert.equal(cost(880), 2_500 + 2 * 210 + 200);
    assert.equal(cost(881), 2_500 + 2 * 210 + 2_500);
  });

  it('refuses a policy that leaves out what is required, and says where', () => {
    assert.throws(
      () =>
        judged(
          ruleAt(0, 1),
          marking(null, (request) => (request.at === 0 ? marked(request) : [])),
        ),
      /^Error: marking, by hand 1, request 1: rule is not told as rule but as nothing\.$/,
    );
  });

  it('compares all chats of a kind, and each, with what they cost at least', () => {
    const chats = { name: 'by hand', traces: [ruleAt(0), ruleAt(0, 1)], bounds: [1_250, 2_700] };
    const { ratio, ratios } = standingOf(marking(null, marked), chats, () => new BreakpointCache(ANTHROPIC));
    assert.deepEqual([ratio, ratios], [5_200 / 3_950, [2, 1]]);
  });

  it('takes the mean of ratios by multiplication', () => {
    assert.equal(geometricMean([0.5, 2]), 1);
  });
});
