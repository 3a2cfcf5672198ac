/** A candidate for a mention. Loupe compares its name and path with the typed text. */
interface NamedPath {
  readonly name: string;
  readonly path: string;
}

/** How well a candidate fits a typed text. Lower ranks fit better. `matches`: the matching places in the name. */
export interface Fit {
  readonly rank: number;
  readonly matches: readonly number[];
}

/** Finds a text at the start of a name or word, within the name or path, or as letters in order. Otherwise null. */
export function fitOf(text: string, { name, path }: NamedPath): Fit | null {
  const lower = name.toLowerCase();
  const at = lower.indexOf(text);
  if (at !== -1) {
    const isWord = at > 0 && (/[^\p{L}\p{N}]/u.test(name.charAt(at - 1)) || /\p{Lu}/u.test(name.charAt(at)));
    return { rank: at === 0 ? 0 : isWord ? 1 : 2, matches: Array.from(text, (_, index) => at + index) };
  }
  if (path.toLowerCase().includes(text)) {
    return { rank: 3, matches: [] };
  }
  const matches = lettersIn(text, lower);
  return matches === null ? null : { rank: 4, matches };
}

/** Returns where a name contains the letters of a text, in order. Null when a letter is missing. */
function lettersIn(text: string, name: string): readonly number[] | null {
  const places: number[] = [];
  for (const letter of text.split('')) {
    const at = name.indexOf(letter, (places.at(-1) ?? -1) + 1);
    if (at === -1) {
      return null;
    }
    places.push(at);
  }
  return places;
}
