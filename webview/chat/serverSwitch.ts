import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { posting } from '../shared/events.js';
import { revealHidden } from '../shared/hidden.js';

export interface ServerSwitch {
  readonly chatId: string;
  readonly name: string;
  /** What of its tools the next request holds. */
  readonly state: 'in' | 'some';
}

/** Takes all tools of a server out of the chat, or adds those that are missing. It stays as it is until the host has done so. */
export function serverSwitch({ chatId, name, state }: ServerSwitch): TemplateResult {
  const type = state === 'in' ? 'removeServer' : 'addServer';
  return html`<span class="checkbox">
    <input
      type="checkbox"
      aria-label="Send the tools of ${revealHidden(name)}"
      title=${state === 'in' ? 'Remove its tools from this chat' : 'Add all of its tools to this chat'}
      .checked=${live(state === 'in')}
      .indeterminate=${live(state === 'some')}
      @click=${(event: Event) => {
        event.preventDefault();
        posting({ type, chatId, server: name })(event);
      }}
    />
  </span>`;
}
