import { html, type TemplateResult } from 'lit';
import type { ForkEntry } from '../../../src/protocol/noteEntries.js';
import { linkButton } from '../../shared/buttons.js';
import { posting } from '../../shared/events.js';
import { visibleText } from '../../shared/visibleText.js';

/**
 * A hairline behind what a fork has of another chat, with the way to where it left that. Where a message was sent again, it says what was
 * changed and what both answers cost, with the way to the request of the other one.
 */
export function forkEntry({ chatId, messageId, sentAgain }: ForkEntry): TemplateResult {
  const [text, back] =
    sentAgain === null
      ? ['Forked here from another chat', linkButton('Show it', posting({ type: 'openMessage', chatId, messageId, found: null }))]
      : [sentAgain.text, linkButton('Show the original request', posting({ type: 'showRequest', chatId, messageId: sentAgain.attemptId }))];
  return html`<div class="entry accounting">
    <div class="accounting-line"><span class="figures">${visibleText(text)}</span> ${back}</div>
  </div>`;
}
