import { html, nothing, type TemplateResult } from 'lit';
import type { ChatListItem } from '../../src/protocol/view.js';
import { age, counted, price } from '../shared/numbers.js';
import { chatBadge } from './chatBadge.js';
import { SPEAKERS } from './speakers.js';

/*
 * What a row of the list of chats says of its chat.
 */

/** A chat that cannot be read has no time, and its preview gives the reason. */
export function isReadable({ updatedAt }: ChatListItem): boolean {
  return updatedAt > 0;
}

/** Who says it, where that is not the user: their message was on a damaged line. */
export function speaker({ firstRole }: ChatListItem): TemplateResult | typeof nothing {
  return firstRole === null || firstRole === 'user' ? nothing : html`<span class="chat-speaker">${SPEAKERS[firstRole]}: </span>`;
}

/** What stands below the title and the preview: a badge, age, messages, cost. */
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
