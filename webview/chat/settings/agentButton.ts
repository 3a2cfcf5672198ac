import { html, type TemplateResult } from 'lit';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import { revealHidden } from '../../shared/hidden.js';
import { visibleText } from '../../shared/visibleText.js';
import { chooserButton } from './chooserButton.js';

/** Returns the agent of a chat, or an empty string. */
export function agentOf({ settings }: Pick<ChatView, 'settings'>): string {
  return String(settings.find(({ name }) => name === 'agent')?.value ?? '');
}

/** Shows the agent of the chat and opens VS Code's list of agents. */
export function agentButton(chat: ChatView): TemplateResult {
  const agent = agentOf(chat);
  const name = agent === '' ? 'No agent' : agent;
  const label = `Agent: ${revealHidden(name)}`;
  const face = html`<span class="model-start">${visibleText(name)}</span>`;
  return chooserButton({ label, title: label, face, asks: { type: 'selectAgent', chatId: chat.id } });
}
