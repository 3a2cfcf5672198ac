import { html, type TemplateResult } from 'lit';
import { button } from '../shared/buttons.js';
import { posting } from '../shared/events.js';
import { icon } from '../shared/icon.js';

const PROMISES = [
  { icon: 'eye', when: 'Before', text: 'You see each request and its price before you send it.' },
  { icon: 'inspect', when: 'After', text: 'Each reply keeps the exact request that made it.' },
  { icon: 'discard', when: 'Always', text: 'You can undo each edit, retry and summary.' },
] as const;

/** What *Try it now* writes into the message box. */
const FIRST_MESSAGE = 'Hello, what did I just send you?';

/** The page of a new installation, until its first message. `onTry` gets a message for the message box. */
export function welcome(onTry: (text: string) => void): TemplateResult {
  return html`<div class="empty-state welcome">
    <h2>A chat that hides nothing</h2>
    <ul class="promises">
      ${PROMISES.map((promise) => html`<li>${icon(promise.icon)}<span><strong>${promise.when}</strong><br />${promise.text}</span></li>`)}
    </ul>
    <div class="welcome-actions">
      ${button('Try it now', 'primary', () => {
        onTry(FIRST_MESSAGE);
      })}
      ${button('Use your own model', 'secondary', posting({ type: 'addProvider' }))}
    </div>
    <p>
      Trying needs no key and no network: the practice model is built in, answers from this computer and bills nobody.
    </p>
  </div>`;
}
