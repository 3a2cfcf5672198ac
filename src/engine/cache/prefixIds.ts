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
    const most = Math.min(before.hashed.length, hashed.length);
    let same = 0;
    while (same < most && (before.hashed[same] === hashed[same] || before.hashed[same]?.hash === hashed[same]?.hash)) {
      same += 1;
    }
    const names = before.names.slice(0, same);
    for (const { hash } of hashed.slice(names.length)) {
      names.push(this.#nameOf(names.at(-1) ?? '', hash));
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

/** Returns how many parts two requests share at the beginning. Binary search: equal prefixes have equal beginnings. */
export function commonLength(prefixes: readonly string[], parts: readonly { readonly prefix: string }[]): number {
  let [low, high] = [0, Math.min(prefixes.length, parts.length)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (prefixes[middle - 1] === parts[middle - 1]?.prefix) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}
