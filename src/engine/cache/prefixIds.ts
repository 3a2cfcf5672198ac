interface Hashed {
  readonly hash: string;
}

/** Assigns names to prefixes of hash sequences. Equal prefixes get the same name. */
export class PrefixIds {
  readonly #names = new Map<string, string>();
  #last: { readonly hashed: readonly Hashed[]; readonly names: readonly string[] } = { hashed: [], names: [] };

  get size(): number {
    return this.#names.size;
  }

  /**
   * Returns for each hash the name of the prefix that ends with the hash. While the user types, only the end of a
   * request changes. So only the names after the first difference from the previous sequence are looked up.
   */
  of(hashed: readonly Hashed[]): readonly string[] {
    const before = this.#last;
    const names = before.names.slice(0, hashed.length);
    for (let at = sameHashes(before.hashed, hashed); at < hashed.length; at += 1) {
      names[at] = this.#nameOf(names[at - 1] ?? '', hashed[at]?.hash ?? '');
    }
    this.#last = { hashed, names };
    return names;
  }

  #nameOf(before: string, hash: string): string {
    const key = `${before} ${hash}`;
    const known = this.#names.get(key);
    if (known !== undefined) {
      return known;
    }
    const name = String(this.#names.size);
    this.#names.set(key, name);
    return name;
  }
}

/** Returns how many items at the start of two lists have equal hashes. A plain loop, because each key press runs it. */
export function sameHashes(a: readonly Hashed[], b: readonly Hashed[]): number {
  const most = Math.min(a.length, b.length);
  let same = 0;
  while (same < most && (a[same] === b[same] || a[same]?.hash === b[same]?.hash)) {
    same += 1;
  }
  return same;
}

/** Returns how many prefixes two requests share. Binary search: equal prefixes have equal beginnings. */
export function commonLength(a: readonly string[], b: readonly string[]): number {
  let [low, high] = [0, Math.min(a.length, b.length)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (a[middle - 1] === b[middle - 1]) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}
