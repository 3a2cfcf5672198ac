import assert from 'node:assert/strict';
import { isAllowed, objectionsTo, type SpendLimits, type SpentSums } from '../../../src/engine/spend/limits.js';

const NONE: SpendLimits = { askAbove: null, capPerChat: null, capPerDay: null };
const NOTHING = { usd: 0, isAtLeast: false };

function kinds(usd: number | null, limits: Partial<SpendLimits>, before: Partial<SpentSums>): string[] {
  return objectionsTo(usd, { ...NONE, ...limits }, { chat: NOTHING, day: NOTHING, ...before }).map(({ kind }) => kind);
}

describe('the limits of what is spent', () => {
  it('object to nothing where none is set, whatever it costs', () => {
    assert.deepEqual([kinds(1_000, {}, {}), kinds(null, {}, {})], [[], []]);
  });

  it('ask about a request that is dearer, not about one that is as dear, and never about an unknown price', () => {
    const limits = { askAbove: 0.5 };
    assert.deepEqual([kinds(0.51, limits, {}), kinds(0.5, limits, {}), kinds(null, limits, {})], [['dear'], [], []]);
    assert.deepEqual([kinds(0.01, { askAbove: 0 }, {}), kinds(0, { askAbove: 0 }, {})], [['dear'], []], 'above 0 is all that costs');
  });

  it('let a cap be reached to the cent, and hold back what goes over it', () => {
    const before = { chat: { usd: 0.1, isAtLeast: false } };
    // In floating point, 0.1 + 0.2 > 0.3.
    assert.deepEqual([kinds(0.2, { capPerChat: 0.3 }, before), kinds(0.2001, { capPerChat: 0.3 }, before)], [[], ['chatCap']]);
  });

  it('hold back an unknown price when the cap is reached, and never what nobody bills', () => {
    const limits = { capPerDay: 2 };
    const day = (usd: number): Partial<SpentSums> => ({ day: { usd, isAtLeast: true } });
    assert.deepEqual([kinds(null, limits, day(1.99)), kinds(null, limits, day(2)), kinds(0, limits, day(5))], [[], ['dayCap'], []]);
  });

  it('name the caps before the price of the request', () => {
    const limits = { askAbove: 1, capPerChat: 2, capPerDay: 3 };
    assert.deepEqual(kinds(5, limits, {}), ['chatCap', 'dayCap', 'dear']);
  });
});

describe('what the user has allowed', () => {
  const [dear] = objectionsTo(2, { ...NONE, askAbove: 1 }, { chat: NOTHING, day: NOTHING });
  const [cap] = objectionsTo(2, { ...NONE, capPerChat: 1 }, { chat: NOTHING, day: NOTHING });
  assert.ok(dear !== undefined && cap !== undefined);

  it('covers a request that came out a little dearer, not another one', () => {
    const leave = { usd: 2, overCap: false };
    assert.deepEqual([isAllowed(leave, dear, 2.1), isAllowed(leave, dear, 2.3), isAllowed(null, dear, 2)], [true, false, false]);
  });

  it('goes over a cap only where that was asked', () => {
    assert.deepEqual([isAllowed({ usd: 2, overCap: false }, cap, 2), isAllowed({ usd: 2, overCap: true }, cap, 2)], [false, true]);
  });

  it('is a request of any price after "Go on once", as long as that is not dear', () => {
    const once = { usd: null, overCap: true };
    assert.deepEqual([isAllowed(once, cap, 50), isAllowed(once, cap, null), isAllowed(once, dear, 2)], [true, true, false]);
  });
});
