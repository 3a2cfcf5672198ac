import { html, type TemplateResult } from 'lit';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import { revealHidden } from '../../shared/hidden.js';
import { visibleText } from '../../shared/visibleText.js';
import { chooserButton } from './chooserButton.js';

/** In characters: enough for the endings that distinguish models of one family, such as `-mini` or `window`. */
const END_LENGTH = 8;

/** Shows the model of the chat and opens VS Code's list of models. A long name is cut in the middle. */
export function modelButton({ id, model: { label, detail } }: ChatView): TemplateResult {
  const characters = Array.from(label);
  const [start, end] = [characters.slice(0, -END_LENGTH).join(''), characters.slice(-END_LENGTH).join('')];
  const whole = revealHidden(label);
  const face = html`<span class="model-start">${visibleText(start)}</span><span class="model-end">${visibleText(end)}</span>`;
  return chooserButton({ label: `Model: ${whole}`, title: `${whole} · ${detail}`, face, asks: { type: 'selectModel', chatId: id } });
}
