import { BytePattern, MAX_POSITIONS, type ByteClass } from './searchBytes.js';

/*
 * "Without case" means what the flag `i` without `u` means in JavaScript's regular expressions. Each UTF-16 unit is
 * compared by its simple upper case, and an ASCII letter equals ASCII letters only: é = É, σ = ς = Σ, but ß ≠ ss, and
 * neither ı nor the Kelvin sign equals an ASCII letter. Letters beyond the Basic Multilingual Plane equal only
 * themselves. A match is as long as the query, so its offset needs no mapping.
 *
 * Lines are first searched as bytes. `JSON.stringify` writes each character in one form, so the query has one form,
 * too, up to case: a class of bytes for each position. Characters without such a form split the query: half of a
 * surrogate pair, or a letter whose cases differ in length, as Ⱥ and ⱥ. Then the longest run is searched. So the
 * bytes give all lines that can match and some more, and the comparison after parsing decides.
 */

export interface SearchPattern {
  /** The offset of the first match in `text`, in UTF-16 units; -1 without one. */
  indexIn(text: string): number;
  /** Of each match, in UTF-16 units. */
  readonly length: number;
  /** For searching lines as bytes; null when every line has to be parsed. */
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

/** The classes of the query's bytes in a line; null for a character without a form of one length. */
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

/** All UTF-16 units in a row, half surrogates included. It is made for each query, and so with a plain loop: 2 ms, not 35. */
function allUnits(): string {
  const units = new Uint16Array(UNIT_COUNT);
  for (let code = 0; code < UNIT_COUNT; code += 1) {
    units[code] = code;
  }
  return Buffer.from(units.buffer).toString('utf16le');
}

/** The units that equal `unit` without case, itself included. `units` holds all units, which letters beyond ASCII need. */
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
