import { type TemplateResult, html, nothing } from 'lit';
import type { NextRequestRows } from '../../../src/protocol/panel/requestRows.js';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { disclosure, iconButton, linkButton } from '../../shared/controls/buttons.js';
import { limitButton } from '../../shared/controls/limits.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { visibleText } from '../../shared/visibleText.js';
import { shareBar } from './meterBar.js';
import { isAnsweredElsewhere } from '../notices/answeredElsewhere.js';
import { type RowsScope, blockTotal } from '../rows/blockRows.js';
import { notSelectedGroup } from '../rows/contextItem.js';
import { forecastPart } from '../rows/forecast.js';
import { inputPrices } from '../rows/prices.js';
import { excludedTurnsGroup, forgottenGroup } from '../request/excludedTurns.js';
import { nextRequestHint } from '../rows/hint.js';
import { withDeleted } from '../rows/itemChange.js';
import { MODES_IN_WORDS } from '../rows/includeMode.js';
import { openLine } from '../rows/fileLink.js';
import { isUnusual, type PendingParts, requestFigures, requestFoot, unusualNote } from './nextRequestFigures.js';
import { removableNotes, requestNotices } from './requestNotices.js';
import { loading } from '../../shared/controls/skeleton.js';
import { repeatsGroup } from '../request/repeats.js';
import { requestGroups } from '../request/requestGroups.js';

export interface NextRequestOptions {
  readonly chat: ChatView;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onSettings: () => void;
  readonly onManage: () => void;
  readonly groups: Pick<RowsScope, 'isOpen' | 'toggle'>;
  /** The button with the number of items, which only a low panel shows. */
  readonly items: TemplateResult | typeof nothing;
}

/** The next request: a line with its size and price, and details with a link to the exact request. */
export function nextRequest(
  view: PanelState,
  { chat, isOpen, onToggle, onSettings, onManage, groups, items }: NextRequestOptions,
): TemplateResult {
  const { nextRequest: request, nextRequestRows: rows, entries, introduction } = view;
  const chatId = chat.id;
  const pending = pendingIn(view, chat);
  return html`${introduction === 'nextRequest' && entries.length > 0 ? nextRequestHint() : nothing}
  <section class="next-request" role="region" aria-label="Next request">
    <div class="next-request-line ${isOpen ? 'open' : ''}">
      ${disclosure(html`<span>Next<span class="next-name"> request</span></span>`, isOpen, onToggle)}
      ${loading(isOpen && request !== null && rows === null)}
      ${requestFigures(request, pending)} ${showsUnusual(request, pending) ? limitButton() : nothing} ${items}
      ${iconButton({ label: 'Show next request', icon: 'eye', onClick: posting({ type: 'previewNextRequest', chatId }) })}
    </div>
    ${pending === null && request !== null ? unusualNote(request) : nothing}
    ${requestNotices(view, { chatId, isOpen, onSettings, groups })}
    ${isOpen && request !== null ? openedPart(request, view, { chatId, pending, onManage, groups }) : nothing}
  </section>`;
}

function openedPart(
  request: NextRequestView,
  { nextRequestRows: rows, exclusionPrices }: PanelState,
  {
    chatId,
    pending,
    onManage,
    groups,
  }: Pick<NextRequestOptions, 'onManage' | 'groups'> & { readonly chatId: string; readonly pending: PendingParts | null },
): TemplateResult {
  const scope = { ...groups, chatId, hasSwitches: true, prices: inputPrices(request) };
  return html`<div class="next-request-details">
    ${pending === null ? forecastPart(request, chatId) : nothing}
    ${rows === null ? nothing : details(request, rows, { pending, onManage, exclusionPrices, scope })}
  </div>`;
}

/** Whether the line shows an unusual price. During a reply, the line shows no price. */
function showsUnusual(request: NextRequestView | null, pending: PendingParts | null): boolean {
  return pending === null && request !== null && isUnusual(request);
}

/** Returns the parts of the next request that are not known yet. Null while no reply is in progress. */
function pendingIn({ entries, chats }: PanelState, chat: ChatView): PendingParts | null {
  const waiting = entries.filter((entry) => entry.kind === 'user' && entry.status === 'queued').length;
  return chat.running || isAnsweredElsewhere(chat, chats) ? { waiting } : null;
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
      ${request.forecast === null ? shareBar(request.shares, request.totalTokens, request.totalTokens) : nothing}
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
