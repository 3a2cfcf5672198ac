import assert from 'node:assert/strict';
import fc from 'fast-check';
import { blockOf } from '../bench/judge/content.js';
import { judge, type Contestant } from '../bench/judge/judge.js';
import { LOUPE } from '../bench/judge/loupePlanner.js';
import { lowerBound } from '../bench/judge/lowerBound.js';
import { RIVALS } from '../bench/judge/rivals.js';
import { generateTrace } from '../bench/judge/traces.js';
import { TRACES } from '../bench/judge/traceSettings.js';
import { depth } from '../support/depth.mjs';

const POLICY_RUNS = depth({ short: 20, deep: 150 });
/** The order of additions changes the last digits of a sum. */
const ROUNDING = 1e-12;

describe('properties of the judge of layouts', () => {
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
