import type { ApiSearchResult, ApiSearchRole } from '../../protocol/api/api.js';

/** The text around a match. */
export interface Snippet {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** Roles whose texts are Markdown. What the user and tools write is shown as it is. */
const MARKDOWN: ReadonlySet<ApiSearchRole> = new Set(['assistant', 'summary']);

/** A mark in front of a line: a heading, a quotation, an item. Line breaks are spaces in an excerpt. */
const LINE_MARKS = /(?<=^…?|\s\s|\n)(?:#{1,6}|>|[-*+])(?=\s)/g;
/** Fences, with the language behind the first one. */
const FENCES = /`{3,}(?:\w+(?=\s))?/g;
const CODE = /(?<!`)(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)/g;
const STRONG = /(\*{2,3}|~~)(?=\S)(.+?)(?<=\S)\1/g;
/** One end of bold text, where the excerpt cuts the other end off: what stands close to a word on one side only. */
const CUT_STRONG = /(?<=^…[^*]*[^\s*])\*\*(?![\p{L}\p{N}*])|(?<![\p{L}\p{N}*])\*\*(?=[^\s*][^*]*…$)/gu;
const LINK = /!?\[([^\]]*)\](\([^)\s]*\)?)/g;

/** The excerpt of a result in three pieces, without the marks of Markdown where its text is Markdown. The match stays as it is. */
export function snippet({
  role,
  excerpt,
  matchStart,
  matchLength,
}: Pick<ApiSearchResult, 'role' | 'excerpt' | 'matchStart' | 'matchLength'>): Snippet {
  const matchEnd = matchStart + matchLength;
  const kept = Array.from({ length: excerpt.length }, () => true);
  if (MARKDOWN.has(role)) {
    // Half a mark is no mark: one that the match touches stays whole.
    const untouched = marks(excerpt).filter((mark) => mark.every(([from, to]) => to <= matchStart || from >= matchEnd));
    for (const [from, to] of untouched.flat()) {
      kept.fill(false, from, to);
    }
  }
  const piece = (from: number, to: number): string =>
    excerpt
      .slice(from, to)
      .split('')
      .filter((_, index) => kept[from + index] === true)
      .join('');
  const before = piece(0, matchStart)
    .replace(/\s+/g, ' ')
    .replace(/^(…?)\s/, '$1');
  return { before, match: excerpt.slice(matchStart, matchEnd), after: piece(matchEnd, excerpt.length).replace(/\s+/g, ' ') };
}

type Place = readonly [from: number, to: number];

/** What makes one mark: its place, or those of its two ends. */
type Mark = readonly Place[];

/** The marks in a text. In code only its own count. */
function marks(text: string): Mark[] {
  const plain = text.replace(CODE, (code) => 'x'.repeat(code.length));
  return [
    ...single(plain, FENCES),
    ...around(text, CODE),
    ...single(plain, LINE_MARKS),
    ...around(plain, STRONG),
    ...single(plain, CUT_STRONG),
    ...links(plain),
  ];
}

function single(text: string, pattern: RegExp): Mark[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: found }): Mark => [[index, index + found.length]]);
}

/** The mark is the first group of the pattern. */
function around(text: string, pattern: RegExp): Mark[] {
  return Array.from(
    text.matchAll(pattern),
    ({ index, 0: whole, 1: mark }): Mark => [
      [index, index + lengthOf(mark)],
      [index + whole.length - lengthOf(mark), index + whole.length],
    ],
  );
}

/** Of a group that took no part in a match: 0. */
function lengthOf(group: string | undefined): number {
  return group?.length ?? 0;
}

/** All but the words of links. */
function links(text: string): Mark[] {
  return Array.from(text.matchAll(LINK), ({ index, 0: whole, 1: words, 2: address }): Mark => {
    const end = index + whole.length - lengthOf(address) - 1;
    return [
      [index, end - lengthOf(words)],
      [end, index + whole.length],
    ];
  });
}
