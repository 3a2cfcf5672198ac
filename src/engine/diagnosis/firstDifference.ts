import type { ManifestBlock } from '../record/manifest.js';

/** The first block that differs from the previous request. No later block can be read from the cache. */
export interface FirstDifference {
  /** Index of the first block that differs, from 0. The number of blocks if the request ends there. */
  readonly at: number;
  /** The block that differs: `now`, or `before` when `now` is null. */
  readonly block: ManifestBlock;
  /** The block in this request; null when a block of the previous request was removed. */
  readonly now: ManifestBlock | null;
  /** The block in the previous request; null when the block is new. */
  readonly before: ManifestBlock | null;
  /** Whether both requests contain both blocks, but in another order. */
  readonly isMoved: boolean;
}

/** Returns the index of the first block that differs from `others`; the number of blocks if all are equal. */
export function differingPlace(blocks: readonly HashedBlock[], others: readonly HashedBlock[]): number {
  const found = blocks.findIndex(({ hash }, at) => others[at]?.hash !== hash);
  return found === -1 ? blocks.length : found;
}

type HashedBlock = Pick<ManifestBlock, 'hash'>;

/** Returns null when the request begins with all blocks of the previous request. */
export function firstDifference(now: readonly ManifestBlock[], before: readonly ManifestBlock[]): FirstDifference | null {
  const found = differingPlace(before, now);
  const [here, there] = [now[found], before[found]];
  return there === undefined ? null : { at: found, ...classifyDifference(here, there, { now, before }) };
}

type BlockLists = Readonly<Record<'now' | 'before', readonly ManifestBlock[]>>;

function classifyDifference(here: ManifestBlock | undefined, there: ManifestBlock, both: BlockLists): Omit<FirstDifference, 'at'> {
  if (here === undefined) {
    return { block: there, now: null, before: there, isMoved: false };
  }
  if (here.key === there.key) {
    return { block: here, now: here, before: there, isMoved: false };
  }
  if (!has(both.now, there)) {
    return { block: there, now: null, before: there, isMoved: false };
  }
  const isMoved = has(both.before, here);
  return { block: here, now: here, before: isMoved ? there : null, isMoved };
}

function has(blocks: readonly ManifestBlock[], block: ManifestBlock): boolean {
  return blocks.some(({ key }) => key === block.key);
}
