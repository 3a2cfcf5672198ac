import type { PartColumns } from '../model/providerCache.js';

interface KnownEnd {
  readonly at: number;
  /** Tokens up to the end of the part, as Loupe counted and as the provider reported them. */
  readonly counted: number;
  readonly reported: number;
}

const START: KnownEnd = { at: -1, counted: 0, reported: 0 };

/** Sizes of prefixes, as the provider reported them. They stay valid after the prefixes have expired in the cache. */
export class ReportedSizes {
  readonly #tokens = new Map<string, number>();
  /** The last correction. A forecast asks for the same parts at several times. */
  #last: { readonly parts: PartColumns; readonly corrected: PartColumns } | null = null;

  add(prefix: string, tokens: number): void {
    this.#tokens.set(prefix, tokens);
    this.#last = null;
  }

  /** Replaces counted sizes by reported sizes. Scales the parts between two reported sizes, and keeps later parts. */
  correct(parts: PartColumns): PartColumns {
    if (this.#last?.parts !== parts) {
      this.#last = { parts, corrected: this.#correct(parts) };
    }
    return this.#last.corrected;
  }

  #correct(parts: PartColumns): PartColumns {
    const known = this.#knownEnds(parts);
    if (known.length === 0) {
      return parts;
    }
    let [from, next] = [START, 0];
    const ends = parts.ends.map((end, at) => {
      if (at > (known[next]?.at ?? Infinity)) {
        from = known[next] ?? from;
        next += 1;
      }
      const to = known[next];
      const scale = to === undefined || to.counted === from.counted ? 1 : (to.reported - from.reported) / (to.counted - from.counted);
      return to?.at === at ? to.reported : Math.round(from.reported + (end - from.counted) * scale);
    });
    return { ...parts, ends };
  }

  /** Returns the parts with a reported size, in order. Omits a size above the reported size of a longer prefix. */
  #knownEnds({ prefixes, ends }: PartColumns): readonly KnownEnd[] {
    const known: KnownEnd[] = [];
    for (let at = this.#tokens.size === 0 ? -1 : prefixes.length - 1; at >= 0; at -= 1) {
      const reported = this.#tokens.get(prefixes[at] ?? '');
      if (reported !== undefined && reported <= (known.at(-1)?.reported ?? Infinity)) {
        known.push({ at, counted: ends[at] ?? 0, reported });
      }
    }
    return known.reverse();
  }
}
