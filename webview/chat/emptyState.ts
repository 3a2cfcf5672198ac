import { html, type TemplateResult } from 'lit';
import { linkButton } from '../shared/controls.js';
import { posting } from '../shared/events.js';
import { icon } from '../shared/icon.js';

/** A question for any model, and two commands of the practice model, which is there without a key. */
const SUGGESTIONS = [
  { icon: 'file-code', text: 'What do the added files do?', about: 'Add them with the + below, or drop them here with Shift held' },
  { icon: 'tools', text: '/tool echo {"text":"hi"}', about: 'Watch a tool call and its exact arguments' },
  { icon: 'note', text: '/long 500', about: 'Watch a long reply stream, and what it took' },
] as const;

/** A new chat: what Loupe is, three things to try, and which model answers. */
export function emptyState(model: string, onSuggest: (text: string) => void, onSettings: () => void): TemplateResult {
  return html`<div class="empty-state">
    <h2>Nothing hidden</h2>
    <p>Loupe shows what each request holds and what it costs, before and after you send it.</p>
    <ul class="suggestions" aria-label="Things to try">
      ${SUGGESTIONS.map(
        (suggestion) =>
          html`<li>
            <button
              type="button"
              @click=${() => {
                onSuggest(suggestion.text);
              }}
            >
              ${icon(suggestion.icon)}<span>${suggestion.text}<small>${suggestion.about}</small></span>
            </button>
          </li>`,
      )}
    </ul>
    <p class="empty-model">
      ${model} answers here. Choose another below the message or in the ${linkButton('chat’s settings', onSettings)}, or
      ${linkButton('add a provider', posting({ type: 'addProvider' }))}: with a key of yours, or a server on this computer.
    </p>
  </div>`;
}
