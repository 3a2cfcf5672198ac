import { html, type TemplateResult } from 'lit';
import { linkButton } from '../shared/buttons.js';
import { post, posting } from '../shared/events.js';
import { icon } from '../shared/icon.js';
import type { Suggestion } from './suggestions.js';
import { welcome } from './welcome.js';

export interface EmptyState {
  /** Whether no message was sent in this installation yet. */
  readonly isFirst: boolean;
  readonly model: string;
  readonly suggestions: readonly Suggestion[];
  readonly onSuggest: (text: string) => void;
  readonly onSettings: () => void;
}

/** The view of a new chat: what Loupe is, things to try, and the model. */
export function emptyState({ isFirst, model, suggestions, onSuggest, onSettings }: EmptyState): TemplateResult {
  if (isFirst) {
    return welcome(onSuggest);
  }
  return html`<div class="empty-state">
    <h2>See everything that is sent</h2>
    <p>Loupe shows what goes to the model and what it costs, before and after you send.</p>
    <ul class="suggestions" aria-label="Things to try">
      ${suggestions.map((each) => html`<li>${suggestion(each, onSuggest)}</li>`)}
    </ul>
    <p class="empty-model">
      Model: ${model}. Change it below or in the ${linkButton('chat’s settings', onSettings)}, or
      ${linkButton('add your own provider', posting({ type: 'addProvider' }))} or local server.
    </p>
  </div>`;
}

function suggestion({ icon: name, label, about, text, message }: Suggestion, onSuggest: EmptyState['onSuggest']): TemplateResult {
  const choose = ({ currentTarget }: Event): void => {
    if (message !== null && currentTarget !== null) {
      post(currentTarget, message);
    }
    if (text !== null) {
      onSuggest(text);
    }
  };
  return html`<button type="button" @click=${choose}>${icon(name)}<span>${label}<small>${about}</small></span></button>`;
}
