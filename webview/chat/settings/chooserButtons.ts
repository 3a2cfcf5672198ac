import { type TemplateResult, html } from 'lit';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import { revealHidden } from '../../shared/hidden.js';
import { visibleText } from '../../shared/visibleText.js';

/** Number of characters at the end of a name that stay visible. They distinguish models of a family: `-mini`. */
const END_LENGTH = 8;

/** Shows the chat's model. A click opens VS Code's list of models. A narrow button hides the middle of a long name. */
export function modelButton({ id, model: { label, detail } }: ChatView): TemplateResult {
  const characters = Array.from(label);
  const [start, end] = [characters.slice(0, -END_LENGTH).join(''), characters.slice(-END_LENGTH).join('')];
  const whole = revealHidden(label);
  const face = html`<span class="model-name"><span class="model-start">${visibleText(start)}</span><span class="model-end">${visibleText(end)}</span></span>`;
  return chooserButton({ label: `Model: ${whole}`, title: `${whole} · ${detail}`, face, asks: { type: 'selectModel', chatId: id } });
}

interface Chooser {
  /** The accessible name: the setting and its value. */
  readonly label: string;
  readonly title: string;
  readonly face: TemplateResult;
  readonly asks: ToHost;
}

/** A button that shows the current choice. A click opens VS Code's list of choices. */
function chooserButton({ label, title, face, asks }: Chooser): TemplateResult {
  return html`<button type="button" class="model-button" title="${title}" aria-label="${label}" aria-haspopup="listbox" @click=${posting(asks)}>
    ${face}${icon('chevron-down')}
  </button>`;
}

export function agentOf({ settings }: Pick<ChatView, 'settings'>): string {
  return String(settings.find(({ name }) => name === 'agent')?.value ?? '');
}

/** Shows the chat's agent. A click opens VS Code's list of agents. */
export function agentButton(chat: ChatView): TemplateResult {
  const agent = agentOf(chat);
  const name = agent === '' ? 'No agent' : agent;
  const label = `Agent: ${revealHidden(name)}`;
  const face = html`<span class="model-name">${visibleText(name)}</span>`;
  return chooserButton({ label, title: label, face, asks: { type: 'selectAgent', chatId: chat.id } });
}
