import type { Token } from 'markdown-it';
import type { GroupBlock } from './block.js';

/* Splits lists and tables into the HTML of each item and row. */

/** Returns the list or table. Null for other blocks and for a table without rows. */
export function groupOf(tokens: readonly Token[], start: number, html: (tokens: Token[]) => string): GroupBlock | null {
  const items = itemsOf(tokens);
  const first = items[0];
  const last = items.at(-1);
  return first === undefined || last === undefined
    ? null
    : {
        kind: 'group',
        start,
        open: html(tokens.slice(0, first.from)),
        items: items.map(({ from, until }) => html(tokens.slice(from, until))),
        close: html(tokens.slice(last.until)),
      };
}

/** The range of tokens of an item or a row. */
interface TokenRange {
  readonly from: number;
  readonly until: number;
}

function itemsOf(tokens: readonly Token[]): readonly TokenRange[] {
  const body = bodyOf(tokens);
  const items: TokenRange[] = [];
  if (body === -1) {
    return items;
  }
  const level = (tokens[body]?.level ?? 0) + 1;
  for (let at = body + 1, from = at; at < tokens.length; at += 1) {
    if (tokens[at]?.level === level && tokens[at]?.nesting === -1) {
      items.push({ from, until: at + 1 });
      from = at + 1;
    }
  }
  return items;
}

/** Returns the index of the token that opens the list or table body, or -1. */
function bodyOf(tokens: readonly Token[]): number {
  const type = tokens[0]?.type;
  if (type === 'table_open') {
    return tokens.findIndex((token) => token.type === 'tbody_open');
  }
  return type === 'bullet_list_open' || type === 'ordered_list_open' ? 0 : -1;
}
