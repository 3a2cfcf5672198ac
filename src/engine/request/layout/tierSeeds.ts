import type { Tier } from '../../model/block.js';
import type { FileLink } from '../../record/manifest.js';
import { sumTokens } from '../../sumTokens.js';

/** A file of the first request. */
export interface SeedFile {
  readonly tokens: number;
  /** How other files use the file. Null when unknown. */
  readonly link: FileLink | null;
}

/** Tiers that the first request can fill with files, besides L0. */
const SHARED = ['L1', 'L2', 'L3'] as const;

type SharedTier = (typeof SHARED)[number];

export interface SeedRoom {
  /** Tokens of L0 without files: tools and system prompt. */
  readonly head: number;
  /** Tokens of L1 without files: the definitions of the workspace. */
  readonly map: number;
  /** L0 takes files until it has this many tokens. */
  readonly target: number;
}

/**
 * Returns the tiers of the files in the first request of a chat, in their order. Later requests move files by the
 * number of requests without a change. The reference graph of the workspace gives the first tiers:
 * - L0 gets the files that most other files use, until it has `target` tokens.
 * - Files that use each other change together, so they stay together. L1, L2 and L3 get these groups, and then the
 *   other files: the largest first, each into the smallest tier.
 * - A file that is not in the graph is active.
 */
export function seededTiers(files: readonly SeedFile[], { head, map, target }: SeedRoom): readonly Tier[] {
  const tiers = files.map((): Tier => 'active');
  let missing = target - head;
  for (const { at, tokens } of byUsers(files)) {
    if (missing > 0) {
      tiers[at] = 'L0';
      missing -= tokens;
    }
  }
  const filled: Record<SharedTier, number> = { L1: map, L2: 0, L3: 0 };
  for (const group of groupsOf(files.map((file, at) => ({ ...file, at })).filter(({ at }) => tiers[at] === 'active'))) {
    const smallest = SHARED.toSorted((a, b) => filled[a] - filled[b])[0] ?? 'L3';
    filled[smallest] += sumTokens(group);
    for (const { at } of group) {
      tiers[at] = smallest;
    }
  }
  return tiers;
}

interface PlacedFile extends SeedFile {
  /** Index among the files. */
  readonly at: number;
}

/** Returns the files that other files use, the most used first. */
function byUsers(files: readonly SeedFile[]): readonly PlacedFile[] {
  const users = ({ link }: SeedFile): number => link?.users ?? 0;
  return files
    .map((file, at) => ({ ...file, at }))
    .filter((file) => users(file) > 0)
    .toSorted((a, b) => users(b) - users(a));
}

/** Returns the files in the graph by group. Groups of files that use each other come first, the largest first. */
function groupsOf(files: readonly PlacedFile[]): readonly (readonly PlacedFile[])[] {
  const groups = new Map<string, PlacedFile[]>();
  const alone: PlacedFile[][] = [];
  for (const file of files.filter(({ link }) => link !== null)) {
    const name = file.link?.group ?? null;
    const known = name === null ? [] : (groups.get(name) ?? []);
    known.push(file);
    if (name === null) {
      alone.push(known);
    } else {
      groups.set(name, known);
    }
  }
  const largestFirst = (all: Iterable<PlacedFile[]>): PlacedFile[][] => [...all].sort((a, b) => sumTokens(b) - sumTokens(a));
  return [...largestFirst(groups.values()), ...largestFirst(alone)];
}
