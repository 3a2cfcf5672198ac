import { type TemplateResult, html, nothing } from 'lit';
import type { NextRequestRows } from '../../../src/protocol/panel/requestRows.js';
import type { UnusedServer } from '../../../src/protocol/panel/nextRequest.js';
import type { ChatView, NextRequestView } from '../../../src/protocol/panel/view.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { disclosure, iconButton, limitButton, linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { counted, markedPrice, price, tokens } from '../../shared/numbers.js';
import { revealHidden } from '../../shared/hidden.js';
import { visibleText } from '../../shared/visibleText.js';
import { adaptations, warnings } from '../rows/adaptations.js';
import { setLimitButton, shareBar } from './meter.js';
import { isAnsweredElsewhere } from '../notices/answeredElsewhere.js';
import { type RowsScope, blockTotal } from '../rows/blockRows.js';
import { notSelectedGroup } from '../rows/contextItem.js';
import { forecastPart } from '../rows/forecast.js';
import { inputPrices } from '../rows/prices.js';
import { excludedTurnsGroup, forgottenGroup } from '../request/excludedTurns.js';
import { nextRequestHint } from '../rows/hint.js';
import { MODES_IN_WORDS } from '../rows/includeMode.js';
import { openLine } from '../rows/fileLink.js';
import { openSummary } from '../rows/openSummary.js';
import { type PendingParts, requestFigures, requestFoot, unusualNote } from './nextRequestFigures.js';
import { loading } from '../../shared/controls/skeleton.js';
import { requestGroups } from '../request/requestGroups.js';
import { restrictedNotice } from '../notices/banners.js';
import type { ObservationView } from '../../../src/protocol/observation.js';
import { observationLine } from '../../shared/observationLine.js';

export interface NextRequestOptions {
  readonly chat: ChatView;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onSettings: () => void;
  readonly onManage: () => void;
  readonly groups: Pick<RowsScope, 'isOpen' | 'toggle'>;
}

/** The next request: a line with its size and price, and details with a link to the exact request. */
export function nextRequest(
  view: PanelState,
  { chat, isOpen, onToggle, onSettings, onManage, groups }: NextRequestOptions,
): TemplateResult {
  const { nextRequest: request, nextRequestRows: rows, entries, introduction } = view;
  const chatId = chat.id;
  const pending = pendingIn(view, chat);
  return html`${introduction === 'nextRequest' && entries.length > 0 ? nextRequestHint() : nothing}
  <section class="next-request" role="region" aria-label="Next request">
    <div class="next-request-line">
      ${disclosure('Next request', isOpen, onToggle)}
      ${loading(isOpen && request !== null && rows === null)}
      ${requestFigures(request, pending)}
      ${iconButton({ label: 'Show next request', icon: 'eye', onClick: posting({ type: 'previewNextRequest', chatId }) })}
    </div>
    ${pending === null && request !== null ? html`${unusualNote(request)} ${forecastPart(request, isOpen)}` : nothing}
    <div class="next-request-notices">
      ${restricted(view, isOpen)} ${request === null ? nothing : requestNotes(request, view.compaction?.kind === 'running', { chatId, isOpen, onSettings })}
    </div>
    ${isOpen && request !== null && rows !== null ? details(request, rows, { pending, onManage, exclusionPrices: view.exclusionPrices, scope: { ...groups, chatId, hasSwitches: true, prices: inputPrices(request) } }) : nothing}
  </section>`;
}

function requestNotes(
  request: NextRequestView,
  isSummarizing: boolean,
  { chatId, isOpen, onSettings }: Pick<NextRequestOptions, 'isOpen' | 'onSettings'> & { readonly chatId: string },
): TemplateResult {
  return html`${observation(request.observation, isOpen)} ${newItems(request, chatId)} ${remarks(request, isSummarizing ? nothing : shortening(request, chatId), onSettings)}`;
}

/** The notice about Restricted Mode, in an empty chat and in open details. Nothing without a workspace folder. */
function restricted({ nextRequest: request, hasFolder, entries }: PanelState, isOpen: boolean): TemplateResult | typeof nothing {
  const isTold = hasFolder && (isOpen || entries.length === 0);
  return isTold && request?.isRestricted === true ? restrictedNotice() : nothing;
}

/** Returns the parts of the next request that are not known yet. Null while no reply is in progress. */
function pendingIn({ entries, chats }: PanelState, chat: ChatView): PendingParts | null {
  const waiting = entries.filter((entry) => entry.kind === 'user' && entry.status === 'queued').length;
  return chat.running || isAnsweredElsewhere(chat, chats) ? { waiting } : null;
}

/** Explains why the request cannot be sent, with buttons to settings or a summary that can solve the problem. */
function problem(
  { problem: text, isOwnLimit, assumedLimit, offersSummary }: NextRequestView,
  way: ProblemAction,
  onSettings: () => void,
): TemplateResult | typeof nothing {
  return text === null
    ? nothing
    : html`<div class="problem">
        ${icon('warning')}<span>${visibleText(text)} ${way} ${offersSummary ? linkButton('Summarize…', summarize) : nothing} ${isOwnLimit ? linkButton('Open chat settings', onSettings) : nothing} ${assumedLimit === null ? nothing : setLimitButton(assumedLimit, 'Set its size')}</span>
      </div>`;
}

const MOST_NAMES = 2;

function summarize({ currentTarget }: Event): void {
  if (currentTarget !== null) {
    openSummary(currentTarget, null);
  }
}

/** A button next to the text of a problem. A click can solve the problem. */
type ProblemAction = TemplateResult | typeof nothing;

/** Offers to let the model shorten a message that is too long even without other content. Does not send the message. */
function shortening({ shortening: offered }: NextRequestView, chatId: string): ProblemAction {
  const priced = offered?.cost === null || offered === null ? '' : ` (${markedPrice('≈', price(offered.cost))})`;
  return offered === null ? nothing : linkButton(`Shorten message${priced}`, posting({ type: 'shortenMessage', chatId }));
}

/** Lists servers with tools of unknown size. *Start now* asks first when a workspace server needs approval. */
function startingServers({ unknownServers }: NextRequestView): TemplateResult | typeof nothing {
  if (unknownServers.length === 0) {
    return nothing;
  }
  const stopped = unknownServers.filter(({ isStarting }) => !isStarting);
  const start = (event: Event): void => {
    for (const { name } of stopped) {
      posting({ type: 'restartServer', server: name })(event);
    }
  };
  const names = unknownServers.map(({ name }) => revealHidden(name));
  const shown = names.length > MOST_NAMES ? `${names[0] ?? ''} and ${tokens(names.length - 1)} more` : names.join(' and ');
  return html`<p class="rewritten" title=${names.join(', ')}>
    ${icon('tools')}<span
      >+ tools of ${shown}, size unknown until ${names.length === 1 ? 'the server starts' : 'the servers start'} with this message
      ${stopped.length === 0 ? nothing : html`· ${linkButton('Start now', start)}`}</span
    >
  </p>`;
}

/** Shows problems, changes to the conversation for this model, and the cache writes after a new summary. */
function remarks(request: NextRequestView, way: ProblemAction, onSettings: () => void): TemplateResult {
  const rewritten = html`<p class="rewritten">${icon('info')}<span>The provider writes the content after the summary to its cache again, once.</span></p>`;
  const shortened = html`<p class="rewritten">${icon('info')}<span>The request does not fit. When you send, Loupe first summarizes the beginning of the chat.</span></p>`;
  return html`${problem(request, way, onSettings)} ${request.isShortened ? shortened : nothing} ${startingServers(request)} ${warnings(request.warnings)} ${adaptations(request.adaptations)}
    ${request.isRewritten ? rewritten : nothing}`;
}

/** Offers to add the catalog items that are newer than the chat. */
function newItems({ newItems: items }: NextRequestView, chatId: string): TemplateResult | typeof nothing {
  const [first] = items;
  if (first === undefined) {
    return nothing;
  }
  const keys = items.map(({ key }) => key);
  const what = items.length === 1 ? html`${visibleText(first.name)} is` : html`${tokens(items.length)} ${kindsOf(keys)} are`;
  return html`<p class="rewritten new-items">
    ${icon('info')}<span
      >${what} in new chats, but not in this one. ${linkButton('Add', posting({ type: 'addCatalogItems', chatId, keys }))}
      · ${linkButton('Do not add', posting({ type: 'leaveOutItems', chatId, keys }))}</span
    >
  </p>`;
}

/** Returns the kinds of the items with these keys: `rules`, `rules and skills`. */
function kindsOf(keys: readonly string[]): string {
  const kinds = ['rule', 'reference', 'skill'].filter((kind) => keys.some((key) => key.startsWith(`${kind}:`))).map((kind) => `${kind}s`);
  return [kinds.slice(0, -1).join(', '), ...kinds.slice(-1)].filter((words) => words !== '').join(' and ');
}

/** Lists items that no recent reply has named, with a button to remove the items. */
function unused({ unused: { keys, tokens: size, replies } }: NextRequestView, chatId: string): TemplateResult | typeof nothing {
  if (keys.length === 0) {
    return nothing;
  }
  const them = keys.length === 1 ? 'it' : 'them';
  return html`<p class="rewritten">
    ${icon('info')}<span
      >The last ${replies} replies did not name ${counted(keys.length, 'item')} (${tokens(size)} tokens in each request).
      ${linkButton(`Remove ${them}`, posting({ type: 'removeItems', chatId, keys: [...keys] }))}</span
    >
  </p>`;
}

/** Names a server whose tools the model has not called for a long time, with a button to remove the server. */
function unusedServer({ name, tokens: size }: UnusedServer, { unused: { replies } }: NextRequestView, chatId: string): TemplateResult {
  return html`<p class="rewritten">
    ${icon('info')}<span
      >The last ${replies} replies called no tool of ${visibleText(name)} (${tokens(size)} tokens in each request).
      ${linkButton('Remove it', posting({ type: 'removeServer', chatId, server: name }))}</span
    >
  </p>`;
}

interface DetailsScope extends Pick<PanelState, 'exclusionPrices'> {
  readonly pending: PendingParts | null;
  readonly scope: RowsScope;
  readonly onManage: () => void;
}

/** The open details. The parts scroll, while the total and its notes stay visible. */
function details(
  request: NextRequestView,
  { summary, blocks, notSelected, excludedTurns, forgotten, available, servers, remarks: wrong }: NextRequestRows,
  { pending, scope, exclusionPrices, onManage }: DetailsScope,
): TemplateResult {
  const framingTokens = request.shares.find((share) => share.category === 'framing')?.tokens ?? 0;
  return html`<div class="next-request-details">
    <div class="next-request-parts" tabindex="0" role="group" aria-label="Parts of the next request">
      ${request.forecast === null ? shareBar(request.shares, request.totalTokens, request.totalTokens) : nothing}
      <p class="context-summary" title=${MODES_IN_WORDS}>${summary}</p>
      ${requestGroups({ ...request, blocks, available, servers, framingTokens }, scope)} ${forgottenGroup(forgotten, scope, exclusionPrices)}
      ${excludedTurnsGroup(excludedTurns, scope, exclusionPrices)} ${notSelectedGroup(notSelected, scope)}
      ${wrong.map((remark) => html`<p class="rewritten">${icon('warning')}<span>${visibleText(remark.text)} ${openLine(remark)}</span></p>`)}
    </div>
    ${unused(request, scope.chatId)} ${request.unusedServers.map((server) => unusedServer(server, request, scope.chatId))}
    ${blockTotal(request, request.inputCost)} ${requestFoot(request, pending)}
    <p class="hint">${linkButton('Manage context', onManage)} ${request.inputCost === null || request.unusual !== null ? nothing : html`· ${limitButton(posting({ type: 'openSpendSettings' }))}`}</p>
  </div>`;
}

/** What Loupe observed about the cache. While the section is closed, only alarms are shown. */
function observation(view: ObservationView | null, isOpen: boolean): TemplateResult | typeof nothing {
  return view === null || !(isOpen || view.isAlarm)
    ? nothing
    : observationLine(view, {
        showRequest: ({ chatId, attemptId }) => posting({ type: 'showRequest', chatId, messageId: attemptId }),
        showPrices: posting({ type: 'showPrices' }),
      });
}
