import assert from 'node:assert/strict';
import { blockOf, type Block, type ChatRequest, type Trace, type Ttl } from '../../../bench/judge/content.js';
import { geometricMean, judge, ratioOf, type Contestant } from '../../../bench/judge/judge.js';
import { lowerBound } from '../../../bench/judge/lowerBound.js';
import { itemOf, requestOf } from '../../../support/bench/judged.js';

const RULE = itemOf('rule', 'rule', 2_000);
const marked = ({ items }: ChatRequest): readonly Block[] => items.map((item) => ({ ...blockOf(item), breakpoint: '5m' }));
const client = (plan: (request: ChatRequest) => readonly Block[]): Contestant => ({ name: 'marking', create: () => ({ plan }) });

const ruleAt = (...times: readonly number[]): Trace => ({ name: 'by hand', seed: 1, requests: times.map((at) => requestOf(at, RULE)) });

describe('the judge of layouts', () => {
  it('sums up what the requests of a chat cost', () => {
    assert.deepEqual(judge(ruleAt(0, 300), client(marked)), { cost: 2_000 * 1.35, isExact: true });
  });

  const asking = (...breakpoints: readonly (Ttl | null)[]): number => {
    const items = breakpoints.map((_, at) => itemOf('rule', String(at), 1_000));
    const plan = (): Block[] => items.map((item, at) => ({ ...blockOf(item), breakpoint: breakpoints[at] ?? null }));
    return judge({ ...ruleAt(), requests: [requestOf(0, ...items)] }, client(plan)).cost;
  };

  it('prices a write at 1.25 for five minutes, at 2 for an hour, other input at 1', () => {
    assert.equal(asking(null, '1h', '5m', null), 2 * 2_000 + 1_250 + 1_000);
  });

  it('refuses five breakpoints, and an hour after five minutes', () => {
    assert.throws(() => asking('5m', '5m', '5m', '5m', '5m'), /^RangeError: 400: a request has 5 breakpoints\.$/);
    assert.throws(() => asking(null, '5m', '1h'), /^RangeError: 400: a breakpoint of an hour follows one of five minutes\.$/);
  });

  it('knows a chat whose requests hold more than they must', () => {
    const older = requestOf(0, RULE, itemOf('rule', 'older', 3_000));
    const { isExact } = judge(
      { ...ruleAt(), requests: [older, requestOf(1, RULE)] },
      client(() => marked(older)),
    );
    assert.equal(isExact, false);
  });

  it('refuses a policy that leaves out what is required, and says where', () => {
    const forgetful = client((request) => (request.at === 0 ? marked(request) : []));
    assert.throws(
      () => judge(ruleAt(0, 1), forgetful),
      /^Error: marking, by hand 1, request 1: rule is not told as rule but as nothing\.$/,
    );
  });

  it('compares the cost of all chats with what they cost at least', () => {
    assert.equal(ratioOf(client(marked), [ruleAt(0), ruleAt(0, 1)]), (2_500 + 2_700) / (2_000 + 2_700));
    assert.equal(geometricMean([0.5, 2]), 1);
  });
});

describe('the lower bound of a chat', () => {
  const rows: readonly (readonly [string, Trace, number])[] = [
    ['pays what is sent once as input', ruleAt(0), 1],
    ['writes for five minutes what is sent again within them', ruleAt(0, 300, 600), 1.25 + 2 * 0.1],
    ['pays again for what is sent an hour later, if a write costs as much', ruleAt(0, 3_600), 2],
    ['writes for an hour what is sent again within it, if that pays', ruleAt(0, 3_600, 7_200), 2.2],
    ['keeps nothing for more than an hour', ruleAt(0, 3_601, 7_202), 3],
    [
      'counts each content and each model by itself',
      { ...ruleAt(), requests: [requestOf(0, RULE), { ...requestOf(1, RULE), model: 'small' }, requestOf(2, itemOf('rule', 'b', 200))] },
      2.1,
    ],
  ];
  for (const [name, trace, expected] of rows) {
    it(name, () => {
      assert.ok(Math.abs(lowerBound(trace) - 2_000 * expected) < 1e-6, String(lowerBound(trace)));
    });
  }
});
