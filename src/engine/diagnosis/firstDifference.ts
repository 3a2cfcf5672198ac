import type { ManifestBlock } from '../record/manifest.js';

/** The first block in which a request differs from the one before, by which all behind it had to be sent to the model anew. */
export interface FirstDifference {
  /** Its place among the blocks of the request, from 0; their number where the request ends there. */
  readonly at: number;
  /** The block that differs: `now`, or where there is none `before`. */
  readonly block: ManifestBlock;
  /** The block in the request; null where the one before had one that is gone. */
  readonly now: ManifestBlock | null;
  /** The block in the request before; null where it is new. */
  readonly before: ManifestBlock | null;
  /** Whether both requests have both blocks, in another order. */
  readonly isMoved: boolean;
}

/** The place of the first of `blocks` that another request does not have in the same place; their number where it has all of them. */
export function differingPlace(blocks: readonly Hashed[], others: readonly Hashed[]): number {
  const found = blocks.findIndex(({ hash }, at) => others[at]?.hash !== hash);
  return found === -1 ? blocks.length : found;
}

type Hashed = Pick<ManifestBlock, 'hash'>;

/** Null where the request begins with all of the one before. */
export function firstDifference(now: readonly ManifestBlock[], before: readonly ManifestBlock[]): FirstDifference | null {
  const found = differingPlace(before, now);
  const [here, there] = [now[found], before[found]];
  return there === undefined ? null : { at: found, ...differing(here, there, { now, before }) };
}

type Both = Readonly<Record<'now' | 'before', readonly ManifestBlock[]>>;

/** Which of the two blocks at the place in which requests part is new, gone or changed. */
function differing(here: ManifestBlock | undefined, there: ManifestBlock, both: Both): Omit<FirstDifference, 'at'> {
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
