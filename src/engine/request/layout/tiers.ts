import type { Tier } from '../../model/block.js';

/** The tiers that are cached, most stable first. */
export const CACHED_TIERS = ['L0', 'L1', 'L2', 'L3'] as const;

export type CachedTier = (typeof CACHED_TIERS)[number];

/** How many requests an item must have stayed the same for to enter each tier. */
const ENTRY: Readonly<Record<CachedTier, number>> = { L0: 12, L1: 9, L2: 6, L3: 3 };

/** An item whose place follows from its stability: something of the context, or a part of the conversation. */
export interface TrackedItem {
  readonly tokens: number;
  /** Requests for which it has stayed the same, with the one that is made; 0 for an item that is new or has changed. */
  readonly count: number;
  /** Its tier in the last request; `active` for an item that is new or has changed. */
  readonly tier: Tier;
}

export interface Tracked {
  readonly items: readonly TrackedItem[];
  /** Tiers that something left since the last request: because it has changed, or is not sent any more. */
  readonly broken: ReadonlySet<Tier>;
}

/**
 * The tiers of the items in the next request, in their order. An item rises at most one tier:
 *
 * - into L3 as soon as its count is high enough. Nothing cached stands below L3, so this rewrites nothing but L3;
 * - into another tier only when that is broken or empty, so that no cached tier is rewritten for it. What rises breaks the tier
 *   that it leaves, and lets the tier below that rise in turn.
 *
 * A tier with more than `targetTokens` keeps at least these: its items with the lowest counts stay, of equal ones the later.
 */
export function nextTiers({ items, broken: brokenBefore }: Tracked, targetTokens: number): readonly Tier[] {
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
    const kept = below === 'active' ? NOBODY : heldBack(members[below], items, targetTokens);
    for (const index of candidates.filter((candidate) => !kept.has(candidate))) {
      tiers[index] = tier;
      broken.add(below);
    }
  }
  return tiers;
}

const NOBODY: ReadonlySet<number> = new Set();

function membersOf(items: readonly TrackedItem[]): Readonly<Record<Tier, readonly number[]>> {
  const members: Record<Tier, number[]> = { L0: [], L1: [], L2: [], L3: [], active: [] };
  for (const [index, { tier }] of items.entries()) {
    members[tier].push(index);
  }
  return members;
}

/** The members of a tier that stay, so that it keeps `targetTokens`; nobody in a tier that has no more than these. */
function heldBack(members: readonly number[], items: readonly TrackedItem[], targetTokens: number): ReadonlySet<number> {
  const tokensOf = (index: number): number => items[index]?.tokens ?? 0;
  const countOf = (index: number): number => items[index]?.count ?? 0;
  if (members.reduce((sum, index) => sum + tokensOf(index), 0) <= targetTokens) {
    return NOBODY;
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
