import { html, nothing, type TemplateResult } from 'lit';
import type { ForgottenCalls, ForgottenView } from '../../../src/protocol/panel/requestRows.js';
import type { PanelState } from '../../../src/protocol/panel/view.js';
import { disclosure } from '../../shared/controls/buttons.js';
import { icon } from '../../shared/controls/icon.js';
import { counted, tokens } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { inclusionNote } from './exclusion.js';
import { include } from './excludedTurns.js';
import { rowsHead, type RowsScope } from '../rows/blockRows.js';

/** The tool calls that a request does not hold, by reply; closed at first. Nothing when there are none. */
export function forgottenGroup(
  { calls, tokens: sum, replies, first }: ForgottenCalls,
  scope: RowsScope,
  prices: PanelState['exclusionPrices'],
): TemplateResult | typeof nothing {
  if (replies === 0) {
    return nothing;
  }
  const isOpen = scope.isOpen('forgotten');
  const head = disclosure(rowsHead('Forgotten tool calls', calls), isOpen, () => {
    scope.toggle('forgotten');
  });
  const more = replies - first.length;
  return html`<div role="group" aria-label="Forgotten tool calls (${calls})" class="context-group">
    <div class="group-head">${head}<span class="figures">${tokens(sum)}</span></div>
    ${
      isOpen
        ? html`<ul>
            ${first.map((each) => row(each, prices, scope.chatId))}
          </ul>
          ${more > 0 ? html`<p class="none">${counted(more, 'more message')}</p>` : nothing}`
        : nothing
    }
  </div>`;
}

function row(
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
