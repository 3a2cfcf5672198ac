/**
 * A text as words, single letters of scripts without spaces between words, and single other characters. A run of
 * backslashes is the atom `/`, so that paths of Windows are equal to other paths.
 */
export interface Atoms {
  /** The text in the Unicode form NFC, so that equal characters have equal code units. */
  readonly text: string;
  readonly atoms: readonly string[];
  /** The place of each atom in `text`. */
  readonly starts: readonly number[];
}

const ATOM = /[\p{L}\p{N}\p{M}_]+|\\+|[^]/gu;

const WORD = /^[\p{L}\p{N}\p{M}_]/u;

/** Letters that have no space between words or between a word and its ending, so that no word boundary is visible. */
const SPACELESS =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;

const LETTERS = new RegExp(`${SPACELESS.source.slice(1)}\\p{M}*|(?:(?!${SPACELESS.source.slice(1)})[^])+`, 'gu');

/** The first character of the scripts in `SPACELESS`. Words with only lower characters need no division. */
const FIRST_SPACELESS = /[\u0E00-\u{10FFFF}]/u;

export function atomsOf(given: string): Atoms {
  const text = given.normalize('NFC');
  const atoms: string[] = [];
  const starts: number[] = [];
  const push = (atom: string, start: number): void => {
    atoms.push(atom);
    starts.push(start);
  };
  for (const { 0: atom, index } of text.matchAll(ATOM)) {
    if (atom.startsWith('\\')) {
      push('/', index);
    } else if (atom.length > 1 && FIRST_SPACELESS.test(atom)) {
      for (const letters of atom.matchAll(LETTERS)) {
        push(letters[0], index + letters.index);
      }
    } else {
      push(atom, index);
    }
  }
  return { text, atoms, starts };
}

/** Returns the text from one atom to before another. */
export function textBetween({ text, starts }: Atoms, from: number, to: number): string {
  return text.slice(starts[from] ?? text.length, starts[to] ?? text.length);
}

/** Whether an atom is a word or a letter, and not a space or a mark. False past the end of a text. */
export function isWord(atom: string | undefined): boolean {
  return atom !== undefined && WORD.test(atom);
}

/** Whether an atom is a letter of a script without visible word boundaries. False past the end of a text. */
export function isSpaceless(atom: string | undefined): boolean {
  return atom !== undefined && SPACELESS.test(atom);
}
