import { html, nothing, type TemplateResult } from 'lit';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import type { DamageView, ChatView } from '../../../src/protocol/panel/view.js';
import { disclosure, iconButton, linkButton } from '../../shared/controls/buttons.js';
import { LIMIT_HELP, openLimits } from '../../shared/controls/limits.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { visibleText } from '../../shared/visibleText.js';
import type { MenuItem } from '../../shared/controls/menu.js';
import { assumedLimit, contextMeter } from '../nextRequest/meter.js';
import { titleInWords, titleItems } from './titleItems.js';

/** The suffix of a fork's title. A fork of a fork has the suffix twice. */
const FORK_MARK = /( \(fork\))+$/;

export type Pane = 'none' | 'chats' | 'settings' | 'manager';

export interface HeaderOptions {
  readonly pane: Pane;
  readonly isDamageOpen: boolean;
  readonly onToggleDamage: () => void;
  readonly onPane: (pane: Exclude<Pane, 'none'>, opener: EventTarget | null) => void;
  readonly onNewChat: () => void;
  readonly onFind: () => void;
  readonly send: (message: ToHost) => void;
}

/** Returns the name under which the panel stores whether the list of damaged lines is open. */
export function damageNotes(chat: Pick<ChatView, 'id'> | null): string {
  return `damage:${chat?.id ?? ''}`;
}

/** The head of the panel in one line: the chat's title, the context meter, the cost, and a menu. */
export function header(view: PanelState, options: HeaderOptions): TemplateResult {
  const { chat } = view;
  const openSettings = (): void => {
    options.onPane('settings', document.activeElement);
  };
  return html`<header class="header">
    <div class="header-line">
      ${chat === null ? html`<h1 class="sr-only">Loupe</h1><span class="chat-title-line"></span>` : chatTitle(chat, options)}
      ${contextMeter(view, openSettings)} <span class="new-chat">${iconButton({ label: 'New chat', icon: 'add', onClick: options.onNewChat })}</span>
      <loupe-menu .label=${'Chat menu'} .icon=${'ellipsis'} .isDisabled=${false} .items=${menuItems(chat, options)}></loupe-menu>
    </div>
    ${assumedLimit(view)}
    ${damageBadge(chat?.damage ?? null, options)}
  </header>`;
}

/** Returns the items of the chat's menu. Without a chat, only the list of chats. */
function menuItems(chat: ChatView | null, { onPane, onNewChat, onFind, send }: HeaderOptions): readonly MenuItem[] {
  const item = (label: string, detail: string, onChoose: () => void): MenuItem => ({ label, detail, note: null, onChoose });
  const openPane = (pane: 'chats' | 'settings') => (): void => {
    onPane(pane, document.activeElement);
  };
  const chats = item('Chats', 'Lists and searches all chats', openPane('chats'));
  const newChat: MenuItem = { ...item('New chat', 'Begins a new chat', onNewChat), below: 280 };
  if (chat === null) {
    return [newChat, chats];
  }
  const { id: chatId } = chat;
  const posted = (label: string, detail: string, message: ToHost): MenuItem =>
    item(label, detail, () => {
      send(message);
    });
  return [
    newChat,
    chats,
    posted('Usage', 'Shows tokens and cost of this chat and of all chats', { type: 'showUsage', chatId }),
    item('Limits…', LIMIT_HELP, () => {
      // The menu has moved the focus to its button.
      openLimits(document.activeElement ?? document.body);
    }),
    item('Chat settings', 'Model, layout, cache and summaries of this chat', openPane('settings')),
    item('Find', 'Finds text in this chat', onFind),
    posted('Export…', 'Saves this chat as a file', { type: 'askExport', chatId }),
    ...titleItems(chat, send),
  ];
}

/** Shows the number of damaged lines in the log. Stays forever, because Loupe never rewrites a log. */
function damageBadge(damage: DamageView | null, { isDamageOpen, onToggleDamage }: HeaderOptions): TemplateResult | typeof nothing {
  if (damage === null) {
    return nothing;
  }
  const { label, files, others } = damage;
  return html`<div class="damage" role="group" aria-label="Damaged log">
    ${disclosure(html`${icon('warning')}<span>${label}</span>`, isDamageOpen, onToggleDamage)}
    ${
      isDamageOpen
        ? html`<div class="damage-notes" tabindex="0" role="region" aria-label="What is damaged">
          <p>Loupe shows the rest of the chat. The files of the chat are unchanged. ${linkButton('Show log', posting({ type: 'showLog' }))}</p>
          ${files.map(
            ({ file, notes }) =>
              html`<p class="damaged-file">${file}</p>
                ${sentences(notes)}`,
          )}
          ${sentences(others)}
        </div>`
        : nothing
    }
  </div>`;
}

function sentences(all: readonly string[]): TemplateResult {
  return html`<ul>
    ${all.map((one) => html`<li>${visibleText(one)}</li>`)}
  </ul>`;
}

/** The chat's title as a heading. A click on the title or its button opens the list of chats. */
function chatTitle(chat: ChatView, { pane, onPane }: HeaderOptions): TemplateResult {
  return html`<div class="chat-title-line">
    <h1>${cutTitle(chat.title)}</h1>
    <button
      type="button"
      class="switch-chat"
      title="${titleInWords(chat)}\nSwitch chat"
      aria-label="Switch chat"
      aria-expanded=${pane === 'chats'}
      @click=${(event: Event) => {
        onPane('chats', event.currentTarget);
      }}
    >
      ${icon('chevron-down')}
    </button>
  </div>`;
}

/** The title of a chat. A narrow panel shortens the title in front of the suffix of a fork. */
export function cutTitle(title: string): TemplateResult {
  const mark = FORK_MARK.exec(title)?.[0] ?? '';
  return html`<span class="cut-title"><span>${visibleText(title.slice(0, title.length - mark.length))}</span><span>${mark}</span></span>`;
}
