import { BytePattern, MAX_POSITIONS, type ByteClass } from './searchBytes.js';

/*
 * What "the same but for case" means: what the language's regular expressions mean by the flag `i` without `u`. Each
 * UTF-16 unit is compared by its simple upper case, and a letter of ASCII equals letters of ASCII only: é = É,
 * σ = ς = Σ, but ß ≠ ss, and neither ı nor the Kelvin sign equals a letter of ASCII. Letters beyond the Basic
 * Multilingual Plane are equal to themselves only. A match is as long as the query, so its place needs no mapping.
 *
 * Lines are first looked through as bytes. As `JSON.stringify` wrote them, each character of a text has one form in
 * them, so the query has as well, up to case: a class of bytes for each position. What has no such form (half of
 * a surrogate pair; a letter whose cases differ in length, as Ⱥ and ⱥ) splits the query, and the longest run is
 * looked for. So the bytes give all lines that can match, and some more: the comparison decides after parsing.
 */

export interface SearchPattern {
  /** Where a text first matches, in UTF-16 units; -1 when it does not. */
  indexIn(text: string): number;
  /** UTF-16 units of every match. */
  readonly length: number;
  /** For the lines as bytes; null when every line has to be parsed. */
  readonly bytes: BytePattern | null;
}

/** `query` must not be empty. */
export function searchPattern(query: string): SearchPattern {
  const comparison = new RegExp(escaped(query), 'i');
  const run = longestRun(byteClasses(query)).slice(0, MAX_POSITIONS);
  return {
    indexIn: (text) => text.search(comparison),
    length: query.length,
    bytes: run.length === 0 ? null : new BytePattern(run),
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The classes of the query's bytes in a line; null where it has no form of one length. */
function byteClasses(query: string): (ByteClass | null)[] {
  // Iterating gives whole surrogate pairs, which have one case here, and single units.
  const units = Buffer.byteLength(query) === query.length ? '' : allUnits();
  return Array.from(query).flatMap((character) => classesOf(character.length === 1 ? sameButForCase(character, units) : [character]));
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function classesOf(variants: readonly string[]): (ByteClass | null)[] {
  const forms = variants.map((variant) => (LONE_SURROGATE.test(variant) ? null : Buffer.from(JSON.stringify(variant).slice(1, -1))));
  const [first] = forms;
  if (first === null || first === undefined || forms.some((form) => form?.length !== first.length)) {
    return [null];
  }
  return [...first].map((_, position) => forms.flatMap((form) => form?.[position] ?? []));
}

const ASCII_END = 0x80;
const UNIT_COUNT = 0x10000;

function allUnits(): string {
  return Array.from({ length: UNIT_COUNT }, (_, code) => String.fromCharCode(code)).join('');
}

/** The units that equal `unit` but for case, itself among them. `units` holds all, needed beyond ASCII. */
function sameButForCase(unit: string, units: string): string[] {
  if (unit.charCodeAt(0) < ASCII_END) {
    return [...new Set([unit.toLowerCase(), unit.toUpperCase()])];
  }
  return units.match(new RegExp(escaped(unit), 'gi')) ?? [unit];
}

function longestRun(classes: readonly (ByteClass | null)[]): ByteClass[] {
  let longest: ByteClass[] = [];
  let run: ByteClass[] = [];
  for (const each of classes) {
    run = each === null ? [] : [...run, each];
    longest = run.length > longest.length ? run : longest;
  }
  return longest;
}
