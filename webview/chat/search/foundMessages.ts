import { type TemplateResult, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { FoundMessage, PanelSearchRole, SearchResults } from '../../../src/protocol/panel/toWebview.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { age, counted } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { type MessageSearch, summary } from './messageSearch.js';

export const SPEAKERS: Readonly<Record<FoundMessage['role'], string>> = {
  user: 'You',
  assistant: 'Assistant',
  'tool-results': 'Tool',
  summary: 'Summary',
};

const ROLES: readonly (readonly [role: PanelSearchRole, label: string])[] = [
  ['all', 'All'],
  ['user', 'You'],
  ['assistant', 'Assistant'],
];

/** Radio buttons that choose whose messages to search: user, model or both. Shows the number of matches. */
export function searchFilter(search: MessageSearch): TemplateResult | typeof nothing {
  const { stage, results, role } = search;
  if (stage === 'none') {
    return nothing;
  }
  return html`<div class="search-filter">
    <div class="search-roles" role="radiogroup" aria-label="Whose messages" @keydown=${(event: KeyboardEvent) => {
      chooseByKey(event, search);
    }}>
      ${ROLES.map(
        ([each, label]) =>
          html`<button
            type="button"
            role="radio"
            class="search-role"
            aria-checked=${each === role}
            tabindex=${each === role ? 0 : -1}
            @click=${() => {
              search.choose(each);
            }}
          >
            ${label}
          </button>`,
      )}
    </div>
    ${stage === 'found' && results !== null && results.messages.length > 0 ? html`<span class="figures search-count">${summary(results)}</span>` : nothing}
  </div>`;
}

/** Moves the choice with the arrow keys, as in any group of radio buttons. */
function chooseByKey(event: KeyboardEvent, search: MessageSearch): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
  const group = event.currentTarget as HTMLElement;
  if (step !== 0) {
    event.preventDefault();
    const at = (ROLES.findIndex(([role]) => role === search.role) + step + ROLES.length) % ROLES.length;
    search.choose(ROLES[at]?.[0] ?? 'all');
    group.querySelectorAll<HTMLElement>('.search-role')[at]?.focus();
  }
}

/** Lists the found messages, grouped by chat, with the state of the search below. */
export function foundMessages(search: MessageSearch, onOpen: (message: FoundMessage) => void): TemplateResult {
  const { stage, results } = search;
  const now = Date.now();
  return html`${repeat(
    byChat(results?.messages ?? []),
    ([chatId]) => chatId,
    ([, messages]) =>
      html`<section role="group" class="found-chat" aria-label=${messages[0]?.chatTitle ?? nothing}>
        <h3 aria-hidden="true">${visibleText(messages[0]?.chatTitle ?? '')}</h3>
        <ul>
          ${messages.map((message) => html`<li>${hit(message, now, onOpen)}</li>`)}
        </ul>
      </section>`,
  )}
  ${stage === 'slow' ? searching(search) : nothing} ${stage === 'cancelled' ? html`<p class="none">Search cancelled</p>` : nothing}
  ${results === null ? nothing : troubles(results)}`;
}

function hit(message: FoundMessage, now: number, onOpen: (message: FoundMessage) => void): TemplateResult {
  const { role, at, before, match, after } = message;
  return html`<button
    type="button"
    class="hit-open"
    @click=${() => {
      onOpen(message);
    }}
  >
    <span class="hit-head"><span>${SPEAKERS[role]}</span><span class="figures">${age(at, now)}</span></span>
    <span class="hit-text">${visibleText(before)}<mark>${visibleText(match)}</mark>${visibleText(after)}</span>
  </button>`;
}

function searching(search: MessageSearch): TemplateResult {
  return html`<p class="search-note" role="status">
    <span class="chat-badge running">${icon('loading')}</span>Searching messages
    ${linkButton('Cancel', () => {
      search.cancel();
    })}
  </p>`;
}

function troubles({ unread, failure }: SearchResults): TemplateResult | typeof nothing {
  const text =
    failure !== null
      ? `The search failed: ${failure}`
      : unread === 'all'
        ? 'Loupe could search only the open chats.'
        : `Loupe could not search all of ${counted(unread, 'chat')}.`;
  return failure === null && unread === 0
    ? nothing
    : html`<p class="search-note">${icon('warning')}<span>${text} ${linkButton('Show log', posting({ type: 'showLog' }))}</span></p>`;
}

/** Groups messages by chat. Expects messages from newest to oldest, and keeps this order for groups and messages. */
export function byChat(messages: readonly FoundMessage[]): (readonly [chatId: string, messages: readonly FoundMessage[]])[] {
  const chats = new Map<string, FoundMessage[]>();
  for (const message of messages) {
    const others = chats.get(message.chatId);
    if (others === undefined) {
      chats.set(message.chatId, [message]);
    } else {
      others.push(message);
    }
  }
  return [...chats];
}
