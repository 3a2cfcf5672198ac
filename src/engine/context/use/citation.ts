import type { Atoms } from './atoms.js';
import type { FoundName } from './names.js';

const NUMBER = /^\d+$/;
const LINE_ANCHOR = /^L?\d+(?:C\d+)?$/;
const RANGE = new Set(['-', '–', ':']);

/** Returns the end of a place in a file: `a.ts:12`, `a.ts#L12-L20`, `a.ts(12)` or `a.ts, line 12`. Null without one. */
export function citationEnd({ atoms }: Atoms, { from, to }: FoundName): number | null {
  return lineEnd(atoms, to) ?? (atoms[from - 1] === '(' && atoms[from - 2] === ']' ? to : null);
}

function lineEnd(atoms: Atoms['atoms'], to: number): number | null {
  const [mark, line = ''] = [atoms[to], atoms[to + 1]];
  if (mark === ':' && NUMBER.test(line)) {
    return rangeEnd(atoms, to + 2, NUMBER);
  }
  if (mark === '#' && LINE_ANCHOR.test(line)) {
    return rangeEnd(atoms, to + 2, LINE_ANCHOR);
  }
  if (mark === '(' && NUMBER.test(line)) {
    const rest = atoms.slice(to + 2, to + 5);
    const end = rest.indexOf(')');
    return end !== -1 && rest.slice(0, end).every((atom) => atom === ',' || NUMBER.test(atom)) ? to + 3 + end : null;
  }
  return wordedEnd(atoms, mark === ',' ? to + 1 : to);
}

/** Returns the end of `12-20` or `12:5`, after the first number. */
function rangeEnd(atoms: Atoms['atoms'], to: number, number: RegExp): number {
  return RANGE.has(atoms[to] ?? '') && number.test(atoms[to + 1] ?? '') ? to + 2 : to;
}

/** Returns the end of ` line 12`. */
function wordedEnd(atoms: Atoms['atoms'], at: number): number | null {
  const isWorded = atoms[at] === ' ' && /^lines?$/.test(atoms[at + 1] ?? '') && atoms[at + 2] === ' ' && NUMBER.test(atoms[at + 3] ?? '');
  return isWorded ? rangeEnd(atoms, at + 4, NUMBER) : null;
}
