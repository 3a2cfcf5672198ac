import { html, type TemplateResult } from 'lit';
import type { ChatView } from '../../src/protocol/view.js';
import { posting } from '../shared/events.js';
import { revealHidden } from '../shared/hidden.js';
import { icon } from '../shared/icon.js';
import { visibleText } from '../shared/visibleText.js';

/** The agent of a chat; empty for none. */
export function agentOf({ settings }: Pick<ChatView, 'settings'>): string {
  return String(settings.find(({ name }) => name === 'agent')?.value ?? '');
}

/** Shows the agent of the chat and opens VS Code's list of agents. */
export function agentButton(chat: ChatView): TemplateResult {
  const agent = agentOf(chat);
  const name = agent === '' ? 'No agent' : agent;
  return html`<button
    type="button"
    class="model-button"
    title="Agent: ${revealHidden(name)}"
    aria-label="Agent: ${revealHidden(name)}"
    aria-haspopup="listbox"
    @click=${posting({ type: 'selectAgent', chatId: chat.id })}
  >
    <span class="model-start">${visibleText(name)}</span>${icon('chevron-down')}
  </button>`;
}
