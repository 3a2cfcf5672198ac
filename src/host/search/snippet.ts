import type { FoundMessage } from '../../protocol/panel/toWebview.js';
import type { ApiSearchResult, ApiSearchRole } from '../../protocol/api/api.js';

/** The matching text with some text before and after it. */
export type Snippet = Pick<FoundMessage, 'before' | 'match' | 'after'>;

/** Roles whose texts are Markdown. Texts of other roles stay unchanged. */
const MARKDOWN: ReadonlySet<ApiSearchRole> = new Set(['assistant', 'summary']);

/** Matches Markdown at the start of a line: heading, quotation, list item. Line breaks are spaces in an excerpt. */
const LINE_MARKS = /(?<=^…?|\s\s|\n)(?:#{1,6}|>|[-*+])(?=\s)/g;
/** Matches code fences, with the language after an opening fence. */
const FENCES = /`{3,}(?:\w+(?=\s))?/g;
const CODE = /(?<!`)(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)/g;
const STRONG = /(\*{2,3}|~~)(?=\S)(.+?)(?<=\S)\1/g;
/** Matches asterisks of bold text that is cut off. Such asterisks touch a word on one side only. */
const CUT_STRONG = /(?<=^…[^*]*[^\s*])\*\*(?![\p{L}\p{N}*])|(?<![\p{L}\p{N}*])\*\*(?=[^\s*][^*]*…$)/gu;
const LINK = /!?\[([^\]]*)\](\([^)\s]*\)?)/g;

/** Splits an excerpt at its match. Removes Markdown syntax outside the match. */
export function snippet({
  role,
  excerpt,
  matchStart,
  matchLength,
}: Pick<ApiSearchResult, 'role' | 'excerpt' | 'matchStart' | 'matchLength'>): Snippet {
  const matchEnd = matchStart + matchLength;
  const kept = Array.from({ length: excerpt.length }, () => true);
  if (MARKDOWN.has(role)) {
    // Keeps syntax that touches the match, because removing a part of it would look wrong.
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

/** The place of Markdown syntax, or the places of its opening and its closing piece. */
type Mark = readonly Place[];

/** Returns the places of Markdown syntax in a text. In code, only the backticks around the code are syntax. */
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

/** Returns the places of paired delimiters. The first group of `pattern` must match the delimiter. */
function around(text: string, pattern: RegExp): Mark[] {
  return Array.from(
    text.matchAll(pattern),
    ({ index, 0: whole, 1: mark }): Mark => [
      [index, index + lengthOf(mark)],
      [index + whole.length - lengthOf(mark), index + whole.length],
    ],
  );
}

function lengthOf(group: string | undefined): number {
  return group?.length ?? 0;
}

/** Returns the places of the syntax of links: all of a link except its text. */
function links(text: string): Mark[] {
  return Array.from(text.matchAll(LINK), ({ index, 0: whole, 1: words, 2: address }): Mark => {
    const end = index + whole.length - lengthOf(address) - 1;
    return [
      [index, end - lengthOf(words)],
      [end, index + whole.length],
    ];
  });
}
