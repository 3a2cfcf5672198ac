import type { Tier } from '../../model/block.js';

/** The cached tiers, most stable first. */
export const CACHED_TIERS = ['L0', 'L1', 'L2', 'L3'] as const;

export type CachedTier = (typeof CACHED_TIERS)[number];

/** Number of unchanged requests after which an item can enter each tier. */
const ENTRY: Readonly<Record<CachedTier, number>> = { L0: 12, L1: 9, L2: 6, L3: 3 };

export interface TrackedItem {
  readonly tokens: number;
  /** Number of requests with the same content, including this one. 0 for a new or changed item. */
  readonly count: number;
  /**
   * The tier of the item in the last request; `active` for a new or changed item. In the first request, the tier by the
   * reference graph (`seededTiers`).
   */
  readonly tier: Tier;
}

export interface TierState {
  readonly items: readonly TrackedItem[];
  /** Tiers that lost an item since the last request: the item has changed, or is no longer sent. */
  readonly broken: ReadonlySet<Tier>;
}

/**
 * Returns the next tiers of the items, in their order. An item rises at most one tier:
 * - Into L3 as soon as its count is high enough. L3 is the last cached tier, so only L3 is rewritten.
 * - Into another tier only when that tier is broken or empty, so that no cached tier is rewritten for it.
 * - An item that rises breaks the tier that it leaves, so items of the next tier can rise in turn.
 *
 * If a tier has more than `targetTokens`, some items do not rise from it, so that it keeps at least that many tokens.
 * These are the items with the lowest counts; of equal counts, the later items.
 */
export function nextTiers({ items, broken: brokenBefore }: TierState, targetTokens: number): readonly Tier[] {
  const members = membersOf(items);
  const broken = new Set(brokenBefore);
  const tiers = items.map(({ tier }) => tier);
  for (const [at, tier] of CACHED_TIERS.entries()) {
    const below = CACHED_TIERS[at + 1] ?? 'active';
    const isOpen = below === 'active' || broken.has(tier) || members[tier].length === 0;
    const candidates = members[below].filter((index) => (items[index]?.count ?? 0) >= ENTRY[tier]);
    if (!isOpen || candidates.length === 0) {
      continue;
    }
    const kept = below === 'active' ? NO_MEMBERS : heldBack(members[below], items, targetTokens);
    for (const index of candidates.filter((candidate) => !kept.has(candidate))) {
      tiers[index] = tier;
      broken.add(below);
    }
  }
  return tiers;
}

const NO_MEMBERS: ReadonlySet<number> = new Set();

function membersOf(items: readonly TrackedItem[]): Readonly<Record<Tier, readonly number[]>> {
  const members: Record<Tier, number[]> = { L0: [], L1: [], L2: [], L3: [], active: [] };
  for (const [index, { tier }] of items.entries()) {
    members[tier].push(index);
  }
  return members;
}

/** Returns the members that must stay, so that their tier keeps `targetTokens`. Empty for a smaller tier. */
function heldBack(members: readonly number[], items: readonly TrackedItem[], targetTokens: number): ReadonlySet<number> {
  const tokensOf = (index: number): number => items[index]?.tokens ?? 0;
  const countOf = (index: number): number => items[index]?.count ?? 0;
  if (members.reduce((sum, index) => sum + tokensOf(index), 0) <= targetTokens) {
    return NO_MEMBERS;
  }
  const kept = new Set<number>();
  let tokens = 0;
  for (const index of members.toReversed().toSorted((a, b) => countOf(a) - countOf(b))) {
    if (tokens >= targetTokens) {
      break;
    }
    kept.add(index);
    tokens += tokensOf(index);
  }
  return kept;
}
