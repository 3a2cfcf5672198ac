import { type TemplateResult, html, nothing } from 'lit';
import type { NextRequestRows } from '../../../src/protocol/panel/requestRows.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { limitButton } from '../../shared/controls/limits.js';
import { icon } from '../../shared/controls/icon.js';
import { visibleText } from '../../shared/visibleText.js';
import { shareBar } from './meterBar.js';
import { type RowsScope, blockTotal } from '../rows/blockRows.js';
import { notSelectedGroup } from '../rows/contextItem.js';
import { forecastPart } from '../rows/forecast.js';
import { pricesInWords } from '../rows/prices.js';
import { excludedTurnsGroup, forgottenGroup } from '../request/excludedTurns.js';
import { withDeleted } from '../rows/itemChange.js';
import { MODES_IN_WORDS } from '../rows/includeMode.js';
import { openLine } from '../rows/fileLink.js';
import { type PendingParts, requestFoot, showsUnusual, titleInWords } from './nextRequestFigures.js';
import { removableNotes } from './requestNotices.js';
import { repeatsGroup } from '../request/repeats.js';
import { requestGroups } from '../request/requestGroups.js';

export interface OpenedOptions {
  readonly chatId: string;
  readonly pending: PendingParts | null;
  readonly onManage: () => void;
  readonly groups: Pick<RowsScope, 'isOpen' | 'toggle'>;
}

/** The details below the line of the next request. */
export function openedRequest(
  request: NextRequestView,
  { nextRequestRows: rows, exclusionPrices }: PanelState,
  { chatId, pending, onManage, groups }: OpenedOptions,
): TemplateResult {
  const scope = { ...groups, chatId, hasSwitches: true, prices: pricesInWords(request), basis: request.basis };
  return html`<div class="next-request-details">
    ${pending === null ? forecastPart(request, chatId) : nothing}
    ${titleInWords(request).map((words) => html`<p class="forecast-past">${words}</p>`)}
    ${rows === null ? nothing : details(request, rows, { pending, onManage, exclusionPrices, scope })}
  </div>`;
}

interface DetailsScope extends Pick<PanelState, 'exclusionPrices'> {
  readonly pending: PendingParts | null;
  readonly scope: RowsScope;
  readonly onManage: () => void;
}

/** The open details. The parts scroll, while the total and its notes stay visible. */
function details(
  request: NextRequestView,
  { summary, blocks, notSelected, changes, excludedTurns, forgotten, repeats, available, servers, remarks: wrong }: NextRequestRows,
  { pending, scope, exclusionPrices, onManage }: DetailsScope,
): TemplateResult {
  const framingTokens = request.shares.find((share) => share.category === 'framing')?.tokens ?? 0;
  return html`<div class="next-request-parts" tabindex="0" role="group" aria-label="Parts of the next request">
      ${request.forecast === null ? shareBar(request.shares) : nothing}
      <p class="context-summary" title=${MODES_IN_WORDS}>${summary}</p>
      ${requestGroups({ ...request, blocks, available, servers, changes, framingTokens }, scope)} ${repeatsGroup(repeats, scope)}
      ${forgottenGroup(forgotten, scope, exclusionPrices)} ${excludedTurnsGroup(excludedTurns, scope, exclusionPrices)}
      ${notSelectedGroup(withDeleted(notSelected, changes), scope)}
      ${wrong.map((remark) => html`<p class="rewritten">${icon('warning')}<span>${visibleText(remark.text)} ${openLine(remark)}</span></p>`)}
    </div>
    ${removableNotes(request, scope.chatId)}
    ${blockTotal(request, request.inputCost)} ${requestFoot(request, pending)}
    <p class="hint">${linkButton('Manage context', onManage)} ${request.inputCost === null || showsUnusual(request, pending) ? nothing : html`· ${limitButton()}`}</p>`;
}
