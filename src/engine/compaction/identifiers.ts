import type { Found } from './fact.js';
import type { Line } from './lines.js';
import { codeSpansOf, isPath } from './paths.js';

/** Longer spans are code, not names. */
const LONGEST_IDENTIFIER = 80;

const IDENTIFIER = /^[@#$.-]{0,2}[\p{L}_][\p{L}\p{N}_$.:#<>[\]@/-]+(?:[!?]|\([^()\n]*\))?$/u;

/** Words that are the same in every program. */
const LITERALS = new Set(
  'true false null undefined this self none nil void const let var function class return if else for while'.split(' '),
);

/** The names in code spans: of functions (without their empty parentheses), types, options, packages, variables. */
export function identifierFacts(lines: readonly Line[]): Found[] {
  return lines
    .filter((line) => !line.isCode)
    .flatMap((line) => codeSpansOf(line))
    .map(({ text, at }) => ({ kind: 'identifier' as const, text: text.endsWith('()') ? text.slice(0, -2) : text, at }))
    .filter(
      ({ text }) => text.length <= LONGEST_IDENTIFIER && IDENTIFIER.test(text) && !LITERALS.has(text.toLowerCase()) && !isPath(text, true),
    );
}
