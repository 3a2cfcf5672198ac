import { html, nothing, type TemplateResult } from 'lit';
import type { KeepWarmEntry, OwnRequest } from '../../../src/protocol/panel/entries.js';
import { disclosure } from '../../shared/controls/buttons.js';
import { icon } from '../../shared/controls/icon.js';
import { counted, markedPrice, price, tokens } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from '../request/scope.js';
import { showRequestButton } from '../entries/showRequestButton.js';

const LOOKS = {
  title: { icon: 'edit', label: 'Request for a title' },
  topic: { icon: 'search', label: 'Search for a topic change' },
  summary: { icon: 'checklist', label: 'Request for a summary' },
  keepWarm: { icon: 'clock', label: 'Request to keep the cache warm' },
} as const;

/** Shows requests that Loupe made itself, for example for a title. A click opens the text of a request. */
export function ownRequests(requests: readonly OwnRequest[], scope: EntryScope): TemplateResult | typeof nothing {
  return requests.length === 0 ? nothing : html`<div class="own-requests">${requests.map((each) => ownRequest(each, scope))}</div>`;
}

/** Shows the keep-warm requests of a pause in one line. A click shows each of them. */
export function keepWarmEntry(
  { id, requests, paidRequests, cost, isAtLeast, isPretended }: KeepWarmEntry,
  scope: EntryScope,
): TemplateResult {
  const isOpen = scope.isOpen(id);
  const paid = cost === null || isPretended ? '' : ` for ${isAtLeast ? markedPrice('≥', price(cost)) : price(cost)}`;
  return html`<div class="entry accounting" role="note" aria-label="Cache" title="Later requests do not contain this line.">
    ${disclosure(`Kept the cache warm: ${counted(paidRequests, 'request')}${paid}`, isOpen, () => {
      scope.toggle(id);
    })}
    ${isOpen ? ownRequests(requests, scope) : nothing}
  </div>`;
}

function ownRequest(request: OwnRequest, scope: EntryScope): TemplateResult {
  const { attemptId, purpose, asked, model } = request;
  const look = LOOKS[purpose];
  const isOpen = scope.isOpen(attemptId);
  return html`<div class="own-request ${purpose}" role="group" aria-label=${look.label}>
    ${icon(look.icon)}
    ${disclosure(look.label, isOpen, () => {
      scope.toggle(attemptId);
    })}
    <span class="own-request-model figures">${visibleText(model)}</span>
    ${figures(request)}
    ${showRequestButton(attemptId, scope)}
    ${
      isOpen
        ? html`<div class="own-request-text">
            <p class="figures">Sent to ${visibleText(model)}. Later requests of the chat do not contain this request.</p>
            ${asked === null ? nothing : html`<p class="own-request-asked">${visibleText(asked)}</p>`}
          </div>`
        : nothing
    }
  </div>`;
}

function figures({ inputTokens, outputTokens, cost, isAtLeast, isPretended }: OwnRequest): TemplateResult | typeof nothing {
  if (inputTokens === null && outputTokens === null) {
    return nothing;
  }
  // Free models have example prices, which are not shown here: the user pays nothing.
  const paid = cost === null || isPretended ? nothing : html`<span>${isAtLeast ? markedPrice('≥', price(cost)) : price(cost)}</span>`;
  return html`<span class="figures"><span>${tokens(inputTokens)} in</span><span>${tokens(outputTokens)} out</span>${paid}</span>`;
}
