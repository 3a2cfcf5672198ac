import type { FoundMessage } from '../../protocol/panel/search.js';
import type { ApiSearchResult, ApiSearchRole } from '../../protocol/api/api.js';

/** An excerpt: the match and the text around it. */
export type Snippet = Pick<FoundMessage, 'before' | 'match' | 'after'>;

/** Roles with Markdown texts. Texts of the user and of tools are shown unchanged. */
const MARKDOWN: ReadonlySet<ApiSearchRole> = new Set(['assistant', 'summary']);

/** Markdown at the start of a line: a heading, a quotation or a list item. In an excerpt, line breaks are spaces. */
const LINE_MARKS = /(?<=^…?|\s\s|\n)(?:#{1,6}|>|[-*+])(?=\s)/g;
/** Code fences. The first one includes the language. */
const FENCES = /`{3,}(?:\w+(?=\s))?/g;
const CODE = /(?<!`)(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)/g;
const STRONG = /(\*{2,3}|~~)(?=\S)(.+?)(?<=\S)\1/g;
/** One end of bold text whose other end was cut off: asterisks that touch a word on one side only. */
const CUT_STRONG = /(?<=^…[^*]*[^\s*])\*\*(?![\p{L}\p{N}*])|(?<![\p{L}\p{N}*])\*\*(?=[^\s*][^*]*…$)/gu;
const LINK = /!?\[([^\]]*)\](\([^)\s]*\)?)/g;

/** Splits the excerpt of a result into three pieces, and removes Markdown syntax outside the match. */
export function snippet({
  role,
  excerpt,
  matchStart,
  matchLength,
}: Pick<ApiSearchResult, 'role' | 'excerpt' | 'matchStart' | 'matchLength'>): Snippet {
  const matchEnd = matchStart + matchLength;
  const kept = Array.from({ length: excerpt.length }, () => true);
  if (MARKDOWN.has(role)) {
    // Partly removed syntax is wrong, so syntax that touches the match stays.
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

/** The position of one piece of Markdown syntax, or the positions of its two ends. */
type Mark = readonly Place[];

/** Returns the Markdown syntax of a text. Inside code, only the code's own delimiters count. */
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

/** The first group of the pattern is the delimiter. */
function around(text: string, pattern: RegExp): Mark[] {
  return Array.from(
    text.matchAll(pattern),
    ({ index, 0: whole, 1: mark }): Mark => [
      [index, index + lengthOf(mark)],
      [index + whole.length - lengthOf(mark), index + whole.length],
    ],
  );
}

/** Returns 0 for a group without a match. */
function lengthOf(group: string | undefined): number {
  return group?.length ?? 0;
}

/** Returns the syntax of links: everything except their text. */
function links(text: string): Mark[] {
  return Array.from(text.matchAll(LINK), ({ index, 0: whole, 1: words, 2: address }): Mark => {
    const end = index + whole.length - lengthOf(address) - 1;
    return [
      [index, end - lengthOf(words)],
      [end, index + whole.length],
    ];
  });
}
