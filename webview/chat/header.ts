import { html, type TemplateResult } from 'lit';
import type { ChatView, NextRequestView } from '../../src/protocol/view.js';
import { iconButton } from '../shared/controls.js';
import { icon } from '../shared/icon.js';
import { visibleText } from '../shared/visibleText.js';
import { contextMeter } from './meter.js';

export type Pane = 'none' | 'chats' | 'settings';

export interface HeaderOptions {
  readonly chat: ChatView | null;
  readonly request: NextRequestView | null;
  readonly pane: Pane;
  readonly onPane: (pane: 'chats' | 'settings', opener: EventTarget | null) => void;
  readonly onNewChat: () => void;
}

/** The chat's title, which opens the list of chats; what can be opened; how full the context window is. */
export function header(options: HeaderOptions): TemplateResult {
  const { chat, pane, onPane } = options;
  return html`<header class="header">
    <div class="header-line">
      ${chat === null ? html`<h1 class="sr-only">Loupe</h1><span class="chat-title-line"></span>` : chatTitle(chat.title, options)}
      ${iconButton({
        label: 'Chats',
        icon: 'history',
        expanded: pane === 'chats',
        onClick: (event) => {
          onPane('chats', event.currentTarget);
        },
      })}
      ${iconButton({
        label: 'Chat settings',
        icon: 'settings-gear',
        expanded: pane === 'settings',
        disabled: chat === null,
        onClick: (event) => {
          onPane('settings', event.currentTarget);
        },
      })}
      ${iconButton({ label: 'New chat', icon: 'add', onClick: options.onNewChat })}
    </div>
    ${contextMeter(options.request)}
  </header>`;
}

/** The heading names the chat; the button beside it reaches over it, so that a click on either opens the list. */
function chatTitle(title: string, { pane, onPane }: HeaderOptions): TemplateResult {
  return html`<div class="chat-title-line">
    <h1>${visibleText(title)}</h1>
    <button
      type="button"
      class="switch-chat"
      title="Switch chat"
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
