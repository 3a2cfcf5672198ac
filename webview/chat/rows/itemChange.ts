import { html, nothing, type TemplateResult } from 'lit';
import { type NotSelectedItems, changeInWords, type ItemChange, type NextRequestRows } from '../../../src/protocol/panel/requestRows.js';
import { signedTokens } from '../../shared/numbers.js';

type Changes = NextRequestRows['changes'];

/** Says that the item of a row has changed: `changed +20`. The tooltip and screen readers have the whole sentence. */
export function itemChange(change: ItemChange | undefined): TemplateResult | typeof nothing {
  if (change === undefined) {
    return nothing;
  }
  const tokens = change.kind === 'changed' ? change.tokens : 0;
  const size = tokens === 0 ? '' : ` ${tokens > 0 ? '+' : ''}${signedTokens(tokens)}`;
  const words = changeInWords(change);
  return html`<span class="item-change" title=${words}
    ><span aria-hidden="true">changed${size}</span><span class="sr-only">. ${words}</span></span
  >`;
}

/** Returns the number of changed rows for the head of their group: `, 1 changed`. Empty without a changed row. */
export function changesInHead(rows: readonly { readonly file: string | null }[], changes: Changes): string {
  const changed = rows.filter(({ file }) => file !== null && changes[file] !== undefined).length;
  return changed === 0 ? '' : `, ${String(changed)} changed`;
}

/** Replaces the reason of deleted items that the last request contained. */
export function withDeleted({ total, first }: NotSelectedItems, changes: Changes): NotSelectedItems {
  const isDeleted = (key: string | null): boolean => key !== null && changes[key]?.kind === 'deleted';
  return {
    total,
    first: first.map((item) => (isDeleted(item.file) ? { ...item, notSelectedReason: 'deleted since the last request' } : item)),
  };
}
