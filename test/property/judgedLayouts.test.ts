import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EMPTY_CACHE, useCache, type CachePart, type CacheState } from '../../src/engine/model/providerCache.js';
import { BreakpointCache } from '../bench/judge/cacheModel.js';
import { ANTHROPIC } from '../bench/judge/cacheRules.js';
import { blockOf, type Block, type Ttl } from '../bench/judge/content.js';
import { judge, type Contestant } from '../bench/judge/judge.js';
import { LOUPE } from '../bench/judge/loupePlanner.js';
import { lowerBound } from '../bench/judge/lowerBound.js';
import { RIVALS } from '../bench/judge/rivals.js';
import { generateTrace } from '../bench/judge/traces.js';
import { TRACES } from '../bench/judge/traceSettings.js';
import { itemOf } from '../support/bench/judged.js';
import { depth } from '../support/depth.mjs';
import { markedCache } from '../support/engine/models.js';

const RUNS = depth({ short: 500, deep: 2_500 });
const POLICY_RUNS = depth({ short: 20, deep: 150 });

interface Drawn {
  /** Seconds since the request before. */
  readonly gap: number;
  /** The blocks are these letters, from the beginning; the first `same` of them are those of all requests. */
  readonly length: number;
  readonly same: number;
  readonly variant: string;
  /** Places of breakpoints; the first `hours` of them last an hour. */
  readonly places: readonly number[];
  readonly hours: number;
}

const LONGEST = 45;

const drawn: fc.Arbitrary<Drawn> = fc.record({
  gap: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 4_000 })),
  length: fc.integer({ min: 1, max: LONGEST }),
  same: fc.integer({ min: 0, max: LONGEST }),
  variant: fc.constantFrom('x', 'y'),
  places: fc.uniqueArray(fc.integer({ min: 0, max: LONGEST - 1 }), { maxLength: 4 }),
  hours: fc.integer({ min: 0, max: 4 }),
});

function requestOf({ length, same, variant, places, hours }: Drawn, tokens: readonly number[]): Block[] {
  const marks = places.filter((at) => at < length).sort((a, b) => a - b);
  return Array.from({ length }, (_, at) => {
    const mark = marks.indexOf(at);
    const breakpoint: Ttl | null = mark === -1 ? null : mark < hours ? '1h' : '5m';
    return { ...blockOf(itemOf('rule', `${at < same ? 'shared' : variant} ${String(at)}`, tokens[at] ?? 0)), breakpoint };
  });
}

function partsOf(blocks: readonly Block[]): CachePart[] {
  let prefix = '';
  return blocks.map(({ hash, tokens, breakpoint }) => ({ prefix: (prefix += `/${hash}`), tokens, mark: breakpoint }));
}

/** Sums of the same numbers differ in their last digits when they are added in another order. */
const ROUNDING = 1e-12;

describe('properties of the judge of layouts', () => {
  it('its cache bills what the simulated cache of the engine does: both were written from the same rules', () => {
    // What is sent has a token at least: of parts without any, no rule says whether a mark behind them is a write of its own.
    const sizes = fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: LONGEST, maxLength: LONGEST });
    let hits = 0;
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 12 }), sizes, (requests, tokens) => {
        const cache = new BreakpointCache(ANTHROPIC);
        let state: CacheState = EMPTY_CACHE;
        let now = 0;
        for (const request of requests) {
          now += request.gap;
          const blocks = requestOf(request, tokens);
          const { cost: _cost, ...bill } = cache.bill(blocks, now, 'main');
          const { use, state: next } = useCache(markedCache({}), state, partsOf(blocks), now * 1_000);
          state = next;
          assert.deepEqual(bill, use);
          hits += Number(bill.read > 0);
        }
      }),
      { numRuns: RUNS },
    );
    assert.ok(hits > (RUNS * 3) / 5, `${String(hits)} requests read something.`);
  });

  it('no policy is refused, and a request that holds just what it must costs no less than the bound', () => {
    const plain: Contestant = {
      name: 'plain',
      create: () => ({
        plan: ({ items }) => items.map((item, at) => ({ ...blockOf(item), breakpoint: at === items.length - 1 ? '5m' : null })),
      }),
    };
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(TRACES)), fc.nat(), fc.constantFrom(plain, LOUPE, ...RIVALS), (name, seed, policy) => {
        const trace = generateTrace(name, seed);
        const { cost, isExact } = judge(trace, policy);
        assert.ok(isExact || policy !== plain);
        if (isExact) {
          assert.ok(lowerBound(trace) <= cost * (1 + ROUNDING), `${String(lowerBound(trace))} > ${String(cost)}`);
        }
      }),
      { numRuns: POLICY_RUNS },
    );
  });
});
