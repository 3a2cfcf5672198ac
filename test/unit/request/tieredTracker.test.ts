import assert from 'node:assert/strict';
import type { Tier } from '../../../src/engine/model/block.js';
import { nextTiers, type TrackedItem } from '../../../src/engine/request/layout/tierRise.js';

function item(tier: Tier, count: number, tokens: number): TrackedItem {
  return { tier, count, tokens };
}

/** The tiers of the next request. No tier keeps anything. */
function next(items: readonly TrackedItem[], broken: readonly Tier[]): string {
  return nextTiers({ items, broken: new Set(broken) }, 0).join(' ');
}

describe('the tiers of items', () => {
  it('are active for what is new or has changed', () => {
    assert.equal(next([item('active', 0, 10), item('active', 2, 10)], []), 'active active');
  });

  it('promote at 3, 6, 9 and 12, into tiers that are empty', () => {
    const path: readonly (readonly [Tier, number, Tier])[] = [
      ['active', 2, 'active'],
      ['active', 3, 'L3'],
      ['L3', 5, 'L3'],
      ['L3', 6, 'L2'],
      ['L2', 8, 'L2'],
      ['L2', 9, 'L1'],
      ['L1', 11, 'L1'],
      ['L1', 12, 'L0'],
      ['L0', 99, 'L0'],
    ];
    for (const [tier, count, expected] of path) {
      assert.equal(next([item(tier, count, 10)], []), expected, `${tier} at ${count}`);
    }
  });

  it('promote one tier at a time, however long the item waited', () => {
    assert.equal(next([item('active', 40, 10)], []), 'L3');
    assert.equal(next([item('L3', 40, 10)], []), 'L2');
  });

  it('let items enter L3 whether or not something left it', () => {
    assert.equal(next([item('L3', 4, 10), item('active', 3, 10)], []), 'L3 L3');
  });

  it('stay as they are while nothing changes: a stable tier takes nothing', () => {
    const items = [item('L0', 20, 10), item('L1', 15, 10), item('L2', 15, 10), item('L3', 15, 10)];
    assert.equal(next(items, []), 'L0 L1 L2 L3');
  });

  it('rise into a broken tier, and let those below rise in turn', () => {
    const items = [item('L0', 20, 10), item('L1', 15, 10), item('L2', 15, 10), item('L3', 15, 10), item('active', 5, 10)];
    assert.equal(next(items, ['L0']), 'L0 L0 L1 L2 L3');
    assert.equal(next(items, ['L1']), 'L0 L1 L1 L2 L3');
    assert.equal(next(items, ['L2']), 'L0 L1 L2 L2 L3');
  });

  it('stop the cascade at a tier from which nothing rises', () => {
    const items = [item('L0', 20, 10), item('L1', 11, 10), item('L2', 15, 10), item('L3', 15, 10)];
    assert.equal(next(items, ['L0']), 'L0 L1 L2 L3', 'no count of L1 is high enough for L0, so L1 is not broken');
  });

  it('leave a broken tier as it is where no count is high enough', () => {
    assert.equal(next([item('L2', 7, 10), item('L3', 5, 10)], ['L2']), 'L2 L3');
  });
});

/** The tiers of the next request, with unbroken tiers that keep so many tokens. */
function keeping(target: number, ...items: readonly TrackedItem[]): string {
  return nextTiers({ items, broken: new Set() }, target).join(' ');
}

describe('cacheTargetTokens', () => {
  it('holds back the items with the lowest counts, so that a tier keeps so many tokens', () => {
    const items = [item('L3', 9, 600), item('L3', 8, 600), item('L3', 7, 600)];
    assert.equal(keeping(1_000, ...items), 'L2 L3 L3');
    assert.equal(keeping(600, ...items), 'L2 L2 L3');
    assert.equal(keeping(601, ...items), 'L2 L3 L3');
  });

  it('holds back the later of items with equal counts', () => {
    const items = [item('L3', 6, 600), item('L3', 6, 600), item('L3', 6, 600)];
    assert.equal(keeping(600, ...items), 'L2 L2 L3');
  });

  it('lets all of a tier go that has no more than that', () => {
    const items = [item('L3', 6, 400), item('L3', 6, 600)];
    assert.equal(keeping(1_000, ...items), 'L2 L2');
    assert.equal(keeping(999, ...items), 'L3 L3', 'both together are needed to keep 999');
  });

  it('lets those rise that were held back once newer ones fill the tier', () => {
    const items = [item('L3', 9, 600), item('L3', 4, 600), item('L3', 3, 600)];
    assert.equal(keeping(1_000, ...items), 'L2 L3 L3');
  });

  it('keeps nothing active', () => {
    assert.equal(keeping(1_000, item('active', 3, 600), item('active', 3, 600)), 'L3 L3');
  });

  it('does not send a tier down that has become smaller than that', () => {
    assert.equal(keeping(1_000, item('L2', 8, 10), item('L3', 4, 600)), 'L2 L3');
  });
});
