import { html, nothing, type TemplateResult } from 'lit';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { icon } from '../../shared/controls/icon.js';
import { isAnsweredElsewhere } from '../notices/answeredElsewhere.js';
import { nextRequest } from '../nextRequest/nextRequestSection.js';
import type { QuestionFold } from '../questions/questionFrame.js';
import { retryQuestion } from '../questions/retryQuestion.js';
import { startingStrip } from '../questions/serverQuestion.js';
import { spendQuestion } from '../questions/spendQuestion.js';
import { stepQuestion } from '../questions/stepQuestion.js';
import { itemsButton } from './itemsLine.js';
import type { PendingImage } from './pendingImages.js';
import { CHIPS, entryPart, ITEMS, NEXT_REQUEST } from '../entries/rowsToShow.js';

interface ComposingScope {
  readonly text: string;
  readonly isDragging: boolean;
  readonly pendingImages: readonly PendingImage[];
  readonly isOpen: (name: string) => boolean;
  /** Returns a handler that opens or closes the details with this name. */
  readonly toggle: (name: string) => () => void;
  readonly send: (message: ToHost) => void;
  readonly onInput: (text: string) => void;
  readonly onSettings: () => void;
  readonly onManage: () => void;
  readonly focusComposer: () => void;
}

interface ComposingOptions extends ComposingScope {
  readonly view: PanelState;
  readonly chat: ChatView;
}

/** The part of the panel for the next message: the preview of the request, the context, and the message box. */
export function composing(view: PanelState, scope: ComposingScope): TemplateResult | typeof nothing {
  return view.chat === null ? nothing : parts({ ...scope, view, chat: view.chat });
}

function parts(options: ComposingOptions): TemplateResult {
  const { view, chat, toggle, onSettings, onManage } = options;
  // Shows no placeholder in a read-only chat, because such a chat may never get a next request.
  const hasNext = view.nextRequest !== null || chat.readOnly === null;
  const isOpen = options.isOpen(NEXT_REQUEST);
  const groups = {
    isOpen: (group: string) => options.isOpen(entryPart(NEXT_REQUEST, group)),
    toggle: (group: string) => {
      toggle(entryPart(NEXT_REQUEST, group))();
    },
  };
  // Closes the next request, because the context pane shows the same items and needs the space.
  const manage = (): void => {
    toggle(NEXT_REQUEST)();
    onManage();
  };
  const items = hasItems(view) ? itemsButton(view.contextTotal, { isUnfolded: options.isOpen(ITEMS), onFold: toggle(ITEMS) }) : nothing;
  return html`${hasNext ? nextRequest(view, { chat, isOpen, onToggle: toggle(NEXT_REQUEST), onSettings, onManage: manage, groups, items }) : nothing}
    ${hasItems(view) ? chips(options) : nothing}
    ${options.isDragging ? html`<div class="drop-hint">${icon('add')}Drop to add to this chat (keep Shift held)</div>` : nothing}
    ${questions(options)}
    ${idleStrip(options)}
    <loupe-composer
      .chat=${chat}
      .text=${options.text}
      .rows=${view.withMessage}
      .pending=${options.pendingImages}
      .hasFolder=${view.hasFolder}
      .isEditing=${view.draft.editing !== null}
      .restoreOffer=${view.restoreOffer?.cause === 'edit' ? view.restoreOffer : null}
      .isShortened=${view.draft.isShortened}
      .isAnsweredElsewhere=${isAnsweredElsewhere(chat, view.chats)}
      .isAwaitingSummary=${view.compaction?.kind === 'running' && view.compaction.isAwaited}
      .firstSummary=${firstSummary(view)}
      .problem=${view.nextRequest?.problem ?? null}
      .prompts=${() => view.entries.flatMap((entry) => (entry.kind === 'user' && entry.text !== '' ? [entry.text] : []))}
      .onInput=${options.onInput}
    ></loupe-composer>`;
}

function idleStrip({ view: { idle }, chat: { id }, focusComposer }: ComposingOptions): TemplateResult | typeof nothing {
  return idle === null ? nothing : html`<loupe-idle .view=${idle} .chatId=${id} .onAnswer=${focusComposer}></loupe-idle>`;
}

/** Returns the cost of a summary before the first message after the expiry of the cache. Null without one. */
function firstSummary({ idle }: PanelState): number | null {
  return idle?.kind === 'expired' ? (idle.summary?.cost ?? null) : null;
}

function hasItems({ context, contextTotal }: PanelState): boolean {
  return context.length > 0 || contextTotal.tools > 0;
}

function questions({ view, chat, send, onManage, isOpen, toggle }: ComposingOptions): TemplateResult {
  const foldOf = (id: string): QuestionFold => ({ isOpen: isOpen(questionPart(id)), onToggle: toggle(questionPart(id)) });
  const { restoreOffer, stepQuestion: steps, spendQuestion: spends, serverQuestion: server, startingServers: starting } = view;
  const isRetry = restoreOffer?.cause === 'retry' && !chat.running;
  return html`${isRetry ? retryQuestion(restoreOffer, { chatId: chat.id, send, fold: foldOf(restoreOffer.messageId) }) : nothing}
  ${steps === null ? nothing : stepQuestion(steps, chat.id)}
  ${spends === null ? nothing : spendQuestion(spends, { chatId: chat.id, onManage, fold: foldOf(spends.id) })}
  ${server === null ? nothing : html`<loupe-server-question .question=${server}></loupe-server-question>`} ${starting.length === 0 ? nothing : startingStrip(starting, chat.id, server !== null)}`;
}

function questionPart(id: string): string {
  return `question:${id}`;
}

function chips({ view, chat: { id: chatId }, isOpen, toggle, send, onManage, focusComposer }: ComposingOptions): TemplateResult {
  const options = {
    chatId,
    isUnfolded: isOpen(ITEMS),
    onFold: toggle(ITEMS),
    isOpen: isOpen(CHIPS),
    onToggle: toggle(CHIPS),
    onManage,
    onRemoveAll: () => {
      send({ type: 'removeAllContext', chatId });
      // Moves the focus, because the clicked button disappears together with the files.
      focusComposer();
    },
  };
  return html`<loupe-chips
    class="chips-part"
    .chips=${view.context}
    .total=${view.contextTotal}
    .options=${options}
    .hasFolder=${view.hasFolder}
    .onEmpty=${focusComposer}
  ></loupe-chips>`;
}
