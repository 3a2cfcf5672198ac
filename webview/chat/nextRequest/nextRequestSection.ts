import { type TemplateResult, html, nothing } from 'lit';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { describedDisclosure, iconButton } from '../../shared/controls/buttons.js';
import { limitButton } from '../../shared/controls/limits.js';
import { posting } from '../../shared/events.js';
import { isAnsweredElsewhere } from '../notices/answeredElsewhere.js';
import { nextRequestHint } from '../rows/hint.js';
import { FIGURES_ID, type PendingParts, requestFigures, showsUnusual, unusualNote } from './nextRequestFigures.js';
import { requestNotices } from './requestNotices.js';
import { loading } from '../../shared/controls/skeleton.js';
import { openedRequest, type OpenedOptions } from './openedRequest.js';

export interface NextRequestOptions extends Pick<OpenedOptions, 'onManage' | 'groups'> {
  readonly chat: ChatView;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onSettings: () => void;
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
      ${describedDisclosure(html`<span>Next<span class="next-name"> request</span></span>`, isOpen, { describedBy: FIGURES_ID, onToggle })}
      ${loading(isOpen && request !== null && rows === null)}
      ${requestFigures(request, pending)} ${showsUnusual(request, pending) ? limitButton() : nothing} ${items}
      ${iconButton({ label: 'Show next request', icon: 'eye', onClick: posting({ type: 'previewNextRequest', chatId }) })}
    </div>
    ${pending === null && request !== null ? unusualNote(request) : nothing}
    ${requestNotices(view, { chatId, isOpen, onSettings, groups })}
    ${isOpen && request !== null ? openedRequest(request, view, { chatId, pending, onManage, groups }) : nothing}
  </section>`;
}

/** Returns the parts of the next request that are not known yet. Null while no reply is in progress. */
function pendingIn({ entries, chats }: PanelState, chat: ChatView): PendingParts | null {
  const waiting = entries.filter((entry) => entry.kind === 'user' && entry.status === 'queued').length;
  return chat.running || isAnsweredElsewhere(chat, chats) ? { waiting } : null;
}
