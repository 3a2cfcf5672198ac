import type { Token } from 'markdown-it';
import type { GroupBlock, PlacedBlock } from './block.js';

/* Lists and tables, with the HTML of each item and row. */

const LISTS: ReadonlySet<string> = new Set(['bullet_list_open', 'ordered_list_open']);

export function isList(token: Token | undefined): boolean {
  return token !== undefined && LISTS.has(token.type);
}

/** Renders tokens of a parsed text. */
export type ToHtml = (tokens: Token[]) => string;

/** The list or the table; null for another block, and for a table without rows. */
export function groupOf({ tokens, start }: PlacedBlock, html: ToHtml): GroupBlock | null {
  const items = itemsOf(tokens);
  const first = items[0];
  const last = items.at(-1);
  return first === undefined || last === undefined
    ? null
    : {
        kind: 'group',
        start,
        open: html(tokens.slice(0, first.from)),
        items: htmlOf(items, tokens, html),
        close: html(tokens.slice(last.until)),
      };
}

/** The HTML of each of some items of `tokens`. */
export function htmlOf(items: readonly Item[], tokens: readonly Token[], html: ToHtml): readonly string[] {
  return items.map(({ from, until }) => html(tokens.slice(from, until)));
}

/** An item or a row: its tokens, and its first line in the parsed text. */
export interface Item {
  readonly from: number;
  readonly until: number;
  readonly line: number;
}

export function itemsOf(tokens: readonly Token[]): readonly Item[] {
  const body = bodyOf(tokens);
  const items: Item[] = [];
  if (body === -1) {
    return items;
  }
  const level = (tokens[body]?.level ?? 0) + 1;
  for (let at = body + 1, from = at; at < tokens.length; at += 1) {
    if (tokens[at]?.level === level && tokens[at]?.nesting === -1) {
      items.push({ from, until: at + 1, line: tokens[from]?.map?.[0] ?? 0 });
      from = at + 1;
    }
  }
  return items;
}

/** Index of the token that opens what holds the items; -1 when there is none. */
function bodyOf(tokens: readonly Token[]): number {
  const [first] = tokens;
  if (first?.type === 'table_open') {
    return tokens.findIndex(({ type }) => type === 'tbody_open');
  }
  return isList(first) ? 0 : -1;
}
