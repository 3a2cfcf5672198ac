import { type TemplateResult, html, nothing } from 'lit';
import type { ChatListItem } from '../../../src/protocol/panel/view.js';
import { age, counted, price } from '../../shared/numbers.js';
import { SPEAKERS } from '../search/foundMessages.js';
import { icon } from '../../shared/controls/icon.js';

/* The facts that a row of the chat list shows about its chat. */

/** Whether Loupe could read the chat. A chat that cannot be read has no time, and its preview shows the reason. */
export function isReadable({ updatedAt }: ChatListItem): boolean {
  return updatedAt > 0;
}

/** Names the author of the preview text, unless it is the user. In a damaged chat, the first message can be lost. */
export function speaker({ firstRole }: ChatListItem): TemplateResult | typeof nothing {
  return firstRole === null || firstRole === 'user' ? nothing : html`<span class="chat-speaker">${SPEAKERS[firstRole]}: </span>`;
}

/** The line below the title and the preview of a chat: badge, age, number of messages, cost. */
export function facts(chat: ChatListItem, now: number): TemplateResult {
  const { updatedAt, messageCount } = chat;
  return html`<span class="figures chat-facts">
    ${chatBadge(chat)}
    <span>${age(updatedAt, now)}</span><span>${counted(messageCount, 'message')}</span>
    ${costInWords(chat)}
  </span>`;
}

function costInWords({ cost, unknownRequests }: ChatListItem): TemplateResult | typeof nothing {
  if (cost === null) {
    return unknownRequests === 0 ? nothing : html`<span>cost unknown</span>`;
  }
  return html`<span>${unknownRequests > 0 ? '≥ ' : ''}${price(cost)}</span>`;
}

interface Badge {
  readonly kind: 'unsaved' | 'waiting' | 'running' | 'damaged';
  readonly icon: string;
  readonly words: string;
  readonly meaning: string;
}

/** Shows the most urgent state of the chat as an icon with words. */
export function chatBadge(chat: ChatListItem): TemplateResult | typeof nothing {
  const badge = mostUrgent(chat);
  return badge === null
    ? nothing
    : html`<span class="chat-badge ${badge.kind}" title=${badge.meaning}>${icon(badge.icon)}${badge.words}</span>`;
}

/** Returns the most urgent state: unsaved changes first, because they can be lost. Damage is last, as it never ends. */
function mostUrgent({ unsaved, waiting, running, damage }: ChatListItem): Badge | null {
  if (unsaved) {
    return { kind: 'unsaved', icon: 'save', words: 'Unsaved', meaning: 'Changes of this chat are lost when this window closes' };
  }
  if (waiting) {
    return { kind: 'waiting', icon: 'shield', words: 'Needs approval', meaning: 'A request or a tool waits for your approval' };
  }
  if (running) {
    return { kind: 'running', icon: 'loading', words: 'Running', meaning: 'The model is writing a reply' };
  }
  if (damage !== null) {
    const words = damage.lines === 0 ? 'Damaged' : counted(damage.lines, 'damaged line');
    return { kind: 'damaged', icon: 'warning', words, meaning: 'Loupe cannot read a part of this chat. The chat shows the rest' };
  }
  return null;
}
