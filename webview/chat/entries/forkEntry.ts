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
  if (sentAgain !== null) {
    return html`<div class="entry accounting">
      <div class="accounting-line"><span class="figures sent-again">${visibleText(sentAgain.text)}</span></div>
      <div class="accounting-more">
        ${linkButton('Show the original request', posting({ type: 'showRequest', chatId, messageId: sentAgain.attemptId }))}
      </div>
    </div>`;
  }
  return html`<div class="entry accounting">
    <div class="accounting-line">
      <span class="figures">Forked here from another chat</span>
      ${linkButton('Show it', posting({ type: 'openMessage', chatId, messageId, found: null }))}
    </div>
  </div>`;
}
