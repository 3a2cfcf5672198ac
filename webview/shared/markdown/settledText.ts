import MarkdownIt, { type MarkdownIt as Renderer, type Token } from 'markdown-it';
import type { SourceLines } from './sourceLines.js';

/*
 * The beginning of a paragraph that is still open, wherever it stands: at the top, in a list, in a quote. All but its
 * last word is settled while nothing in it waits for its end: emphasis, code, a link. A word stands for it in the text
 * to parse, and its HTML takes the word's place in the tokens. It is void when a later line makes a heading or a table
 * of the paragraph.
 */

export interface SettledText {
  /** Where the word stands in the text to parse. */
  readonly at: number;
  readonly source: string;
  readonly html: string;
}

/** A word and a space, so that what follows continues a paragraph. */
const WORD = 'x ';

/** The token that holds the HTML. */
const SETTLED = 'settled';

/** What may still open something that later text closes. */
const MAY_OPEN = /[*_~[\]`]/;

/** In the source: a bar may make a table of its line, the others may begin a formula or be escapes. */
const UNSETTLED = /[|\\$]/;

/** The beginning of a line that stays in its paragraph, whatever follows: no mark of another block, nor half of one. */
const STAYS = /^[^\s*+\-_=#`~<>|:$\\\d]/;

/** A word whose HTML is the word itself. */
const PLAIN_WORD = /^[^\s&<>"\\]+$/;

export interface Settling {
  readonly settled: SettledText;
  /** Where the rest begins in the text. */
  readonly from: number;
}

/** The text to parse, with the word for what is settled. */
export function withWord(text: string, { settled, from }: Settling): string {
  return text.slice(0, settled.at) + WORD + text.slice(from);
}

/** The text to parse, with nothing of it settled. */
export function withSource(text: string, { at, source }: SettledText): string {
  return text.slice(0, at) + source + text.slice(at + WORD.length);
}

/** By how much the text to parse is shorter than its source from an offset on. */
export function missingAfter(offset: number, settled: SettledText | null): number {
  return settled !== null && offset <= settled.at ? settled.source.length - WORD.length : 0;
}

/** Puts the settled HTML into the tokens; returns false when it is void. */
export function restoreSettled(tokens: readonly Token[], lines: SourceLines, { at, html }: SettledText): boolean {
  const inline = tokens.find((token, index) => isParagraph(tokens, index) && isAt(token, lines, at));
  const children = inline?.children ?? [];
  const [first] = children;
  if (first?.type !== 'text' || !first.content.startsWith(WORD)) {
    return false;
  }
  first.content = first.content.slice(WORD.length);
  const settled = new MarkdownIt.Token(SETTLED, '', 0);
  settled.content = html;
  children.unshift(settled);
  return true;
}

/** More of the last paragraph settled; null when nothing more is certain now. */
export function settleText(
  text: string,
  { tokens, lines, before, md }: { tokens: readonly Token[]; lines: SourceLines; before: SettledText | null; md: Renderer },
): Settling | null {
  const inline = lastParagraph(tokens, lines);
  if (inline === null) {
    return null;
  }
  const old = before ?? { at: contentStart(inline, lines, text), source: '', html: '' };
  const begin = before === null ? old.at : old.at + WORD.length;
  const cut = isAt(inline, lines, old.at) ? (afterLastSpace(inline, text) ?? afterLastBreak(inline, text)) : null;
  if (cut === null || cut.from <= begin || UNSETTLED.test(text.slice(begin, cut.from))) {
    return null;
  }
  // What was settled before is the first token.
  const added = md.renderer.renderInline(before === null ? cut.before : cut.before.slice(1), md.options, {});
  const html = old.html + added.slice(0, added.length - cut.rest.length);
  return { settled: { at: old.at, source: old.source + text.slice(begin, cut.from), html }, from: cut.from };
}

/** The paragraph with which the text ends. */
function lastParagraph(tokens: readonly Token[], lines: SourceLines): Token | null {
  const index = tokens.findLastIndex(({ type }) => type === 'inline');
  const inline = tokens[index];
  return inline !== undefined && isParagraph(tokens, index) && !lines.isWhole((inline.map?.[1] ?? 0) - 1) ? inline : null;
}

interface Cut {
  /** The tokens up to the cut, the last one with `rest` behind it. */
  readonly before: Token[];
  readonly rest: string;
  /** Where the text goes on behind the cut. */
  readonly from: number;
}

function afterLastSpace({ children }: Token, text: string): Cut | null {
  const last = children?.at(-1);
  if (children === null || last?.type !== 'text' || last.level > 0) {
    return null;
  }
  const end = text.endsWith(' ') ? text.length - 1 : text.length;
  const from = text.lastIndexOf(' ', end - 1) + 1;
  const rest = text.slice(from, end);
  return PLAIN_WORD.test(rest) && last.content.endsWith(` ${rest}`) && children.every(isClosed) ? { before: children, rest, from } : null;
}

function afterLastBreak({ children, content }: Token, text: string): Cut | null {
  const rest = content.slice(content.lastIndexOf('\n') + 1).trimStart();
  if (!STAYS.test(rest) || !text.endsWith(rest)) {
    return null;
  }
  const breaks = (children ?? []).flatMap(({ type }, index) => (type === 'softbreak' || type === 'hardbreak' ? [index] : []));
  const before = children?.slice(0, (breaks.at(-1) ?? -1) + 1) ?? [];
  // A line break within code or an address is none of the paragraph.
  const isPlain = breaks.length === content.split('\n').length - 1 && before.at(-1)?.level === 0 && before.every(isClosed);
  return isPlain ? { before, rest: '', from: text.length - rest.length } : null;
}

function isParagraph(tokens: readonly Token[], index: number): boolean {
  return tokens[index]?.type === 'inline' && tokens[index - 1]?.type === 'paragraph_open';
}

function isAt({ map }: Token, lines: SourceLines, at: number): boolean {
  const line = map?.[0] ?? NaN;
  return lines.offset(line) <= at && at < lines.offset(line + 1);
}

/** Where the text of the paragraph begins, behind what marks a list or a quote. NaN when its line does not end with it. */
function contentStart({ content, map }: Token, lines: SourceLines, text: string): number {
  const line = map?.[0] ?? NaN;
  const [first] = content.split('\n', 1);
  const source = text.slice(lines.offset(line), lines.offset(line + 1)).trimEnd();
  return first !== undefined && source.endsWith(first.trimEnd()) ? lines.offset(line) + source.length - first.trimEnd().length : NaN;
}

function isClosed({ type, content }: Token): boolean {
  return type !== 'text' || !MAY_OPEN.test(content);
}

/** The rule that renders settled text. */
export const settledRule = { [SETTLED]: (tokens: readonly Token[], index: number): string => tokens[index]?.content ?? '' };
