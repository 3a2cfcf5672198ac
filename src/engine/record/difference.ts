/**
 * A list, stored as its difference to a base list. Each piece is one of these:
 *
 * - a number: the item of the base at that index
 * - a pair: the items `[from, to)` of the base
 * - `keep` and `as`: the items `keep` of the base, each with the changed members `as`
 * - `put`: new items
 */
export type Difference<T> = readonly Piece<T>[];

type ItemRange = readonly [from: number, to: number];
export type Piece<T> = number | ItemRange | { readonly keep: ItemRange; readonly as: Partial<T> } | { readonly put: readonly T[] };

export interface Comparison<T> {
  /** Identifies an item in both lists; unique within a list. */
  readonly key: (item: T) => string;
  /** Returns the changed members, with the values of `after`. Null if the difference must contain the whole item. */
  readonly change: (before: T, after: T) => Partial<T> | null;
}

/** Returns the pieces that turn `base` into `next`. The content of an item that only moved is not repeated. */
export function differenceTo<T>(base: readonly T[], next: readonly T[], { key, change }: Comparison<T>): Difference<T> {
  const places = new Map(base.map((item, index) => [key(item), index]));
  const pieces: GrowingPiece<T>[] = [];
  for (const item of next) {
    const index = places.get(key(item));
    const before = index === undefined ? undefined : base[index];
    const as = before === undefined ? null : change(before, item);
    if (index === undefined || as === null) {
      put(pieces, item);
    } else {
      keep(pieces, index, as);
    }
  }
  return pieces.map(compact);
}

/** Applies pieces to `base`. Throws a `RangeError` when a piece names items that `base` does not have. */
export function withDifference<T>(base: readonly T[], pieces: Difference<T>): readonly T[] {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? pieceOf(base, first) : pieces.flatMap((piece) => pieceOf(base, piece));
}

function pieceOf<T>(base: readonly T[], piece: Piece<T>): readonly T[] {
  if (typeof piece === 'number') {
    return kept(base, [piece, piece + 1]);
  }
  if ('put' in piece) {
    return piece.put;
  }
  return 'keep' in piece ? kept(base, piece.keep).map((item) => ({ ...item, ...piece.as })) : kept(base, piece);
}

function kept<T>(base: readonly T[], [from, to]: ItemRange): readonly T[] {
  if (from < 0 || to > base.length || from >= to) {
    throw new RangeError(`The record keeps items ${String(from)} to ${String(to)} of ${String(base.length)}`);
  }
  // Most lists do not change from one request to the next. For these, the base is returned without a copy.
  return to - from === base.length ? base : base.slice(from, to);
}

/** A piece that grows in place for speed: a first manifest puts all items of a long chat into one piece. */
type GrowingPiece<T> = { readonly keep: [number, number]; readonly as: Partial<T> } | { readonly put: T[] };

function keep<T>(pieces: GrowingPiece<T>[], index: number, as: Partial<T>): void {
  const last = pieces.at(-1);
  if (last !== undefined && 'keep' in last && last.keep[1] === index && JSON.stringify(last.as) === JSON.stringify(as)) {
    last.keep[1] = index + 1;
  } else {
    pieces.push({ keep: [index, index + 1], as });
  }
}

function put<T>(pieces: GrowingPiece<T>[], item: T): void {
  const last = pieces.at(-1);
  if (last !== undefined && 'put' in last) {
    last.put.push(item);
  } else {
    pieces.push({ put: [item] });
  }
}

function compact<T>(piece: GrowingPiece<T>): Piece<T> {
  if ('put' in piece || Object.keys(piece.as).length > 0) {
    return piece;
  }
  const [from, to] = piece.keep;
  return to - from === 1 ? from : piece.keep;
}
