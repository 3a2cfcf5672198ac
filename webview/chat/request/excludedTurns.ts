import { html, nothing, type TemplateResult } from 'lit';
import type { ExcludedTurns, ExcludedTurnView, ForgottenCalls, ForgottenView } from '../../../src/protocol/panel/requestRows.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { tokens } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { inclusionNote } from './exclusion.js';
import { closedGroup, moreRows, type RowsScope } from '../rows/blockRows.js';

/** Lists the turns that the user excluded from the next request. Closed by default. */
export function excludedTurnsGroup(
  { total, first }: ExcludedTurns,
  scope: RowsScope,
  prices: PanelState['exclusionPrices'],
): TemplateResult | typeof nothing {
  const rows = (): TemplateResult => html`<ul>
      ${first.map((turn) => turnRow(turn, inclusionNote(prices[turn.id] ?? null), scope.chatId))}
    </ul>
    ${moreRows(total - first.length, 'more message')}`;
  return closedGroup({ name: 'Excluded by you', key: 'excludedTurns', count: total, figures: nothing, rows }, scope);
}

/** Lists the tool calls that a request omits, grouped by reply. Closed by default. */
export function forgottenGroup(
  { calls, tokens: sum, replies, first }: ForgottenCalls,
  scope: RowsScope,
  prices: PanelState['exclusionPrices'],
): TemplateResult | typeof nothing {
  const rows = (): TemplateResult => html`<ul>
      ${first.map((each) => callsRow(each, prices, scope.chatId))}
    </ul>
    ${moreRows(replies - first.length, 'more message')}`;
  const figures = html`<span class="figures">${tokens(sum)}</span>`;
  return closedGroup({ name: 'Forgotten tool calls', key: 'forgotten', count: calls, figures, rows }, scope);
}

function turnRow({ id, label, tokens: size, isHeld }: ExcludedTurnView, price: string | null, chatId: string): TemplateResult {
  return html`<li class="left-out">
    ${icon('comment')}<span class="item-name" title=${label}>${visibleText(label)}</span>
    ${isHeld ? html`<span class="left-out-why">still sent</span>` : nothing}
    ${include({ messageId: id, call: null }, { label, price }, chatId)}
    <span class="figures item-tokens">${tokens(size)}</span>
  </li>`;
}

/** The button that includes excluded content again. `label` describes the content. `price` is null when unknown. */
function include(
  { messageId, call }: { readonly messageId: string; readonly call: string | null },
  { label, price }: { readonly label: string; readonly price: string | null },
  chatId: string,
): TemplateResult {
  const name = html`Include again${price === null ? '' : `, ${price}`}<span class="sr-only"> ${visibleText(label)}</span>`;
  return linkButton(name, posting({ type: 'include', chatId, messageId, call }));
}

function callsRow(
  { label, calls, tokens: size, reason, bringsBack, callId }: ForgottenView,
  prices: PanelState['exclusionPrices'],
  chatId: string,
): TemplateResult {
  const ofReply = bringsBack === null ? undefined : prices[bringsBack];
  const priced = callId === undefined ? ofReply : ofReply?.calls?.[callId];
  return html`<li class="tool left-out">
    ${icon('tools')}<span class="item-name" title=${label}>${visibleText(label)}${calls > 1 ? ` × ${tokens(calls)}` : ''}</span>
    <span class="left-out-why" title=${reason}>${reason}</span>
    ${bringsBack === null ? nothing : include({ messageId: bringsBack, call: callId ?? null }, { label, price: inclusionNote(priced ?? null) }, chatId)}
    <span class="figures item-tokens">${tokens(size)}</span>
  </li>`;
}
