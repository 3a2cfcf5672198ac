import { html, nothing, type TemplateResult } from 'lit';
import type { ExcludedTurns, ExcludedTurnView } from '../../../src/protocol/panel/exclusion.js';
import type { PanelState } from '../../../src/protocol/panel/view.js';
import { disclosure, linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { counted, tokens } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { inclusionNote } from './exclusion.js';
import { rowsHead, type RowsScope } from '../rows/blockRows.js';

/** The turns that the user excluded from the next request; closed at first. Nothing when there are none. */
export function excludedTurnsGroup(
  { total, first }: ExcludedTurns,
  scope: RowsScope,
  prices: PanelState['exclusionPrices'],
): TemplateResult | typeof nothing {
  if (total === 0) {
    return nothing;
  }
  const isOpen = scope.isOpen('excludedTurns');
  const head = disclosure(rowsHead('Excluded by you', total), isOpen, () => {
    scope.toggle('excludedTurns');
  });
  return html`<div role="group" aria-label="Excluded by you (${total})" class="context-group">
    <div class="group-head">${head}</div>
    ${
      isOpen
        ? html`<ul>
              ${first.map((turn) => row(turn, inclusionNote(prices[turn.id] ?? null), scope.chatId))}
            </ul>
            ${total > first.length ? html`<p class="none">${counted(total - first.length, 'more message')}</p>` : nothing}`
        : nothing
    }
  </div>`;
}

function row({ id, label, tokens: size, isHeld }: ExcludedTurnView, price: string | null, chatId: string): TemplateResult {
  return html`<li class="left-out">
    ${icon('comment')}<span class="item-name" title=${label}>${visibleText(label)}</span>
    ${isHeld ? html`<span class="left-out-why">still sent</span>` : nothing}
    ${include({ messageId: id, call: null }, { label, price }, chatId)}
    <span class="figures item-tokens">${tokens(size)}</span>
  </li>`;
}

/** A button that includes excluded content again. `price` is null when unknown; `label` names the content. */
export function include(
  { messageId, call }: { readonly messageId: string; readonly call: string | null },
  { label, price }: { readonly label: string; readonly price: string | null },
  chatId: string,
): TemplateResult {
  const name = html`Include again${price === null ? '' : `, ${price}`}<span class="sr-only"> ${visibleText(label)}</span>`;
  return linkButton(name, posting({ type: 'include', chatId, messageId, call }));
}
