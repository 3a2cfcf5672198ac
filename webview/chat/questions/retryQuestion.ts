import { html, type TemplateResult } from 'lit';
import type { RestoreOfferView } from '../../../src/protocol/panel/toolCalls.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { button } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { restoreStrip } from './restoreStrip.js';

export const RETRY_TITLE = 'Get a new reply to this message?';

/** Asks before a retry, if tools changed files after the message. The user can restore these files with the retry. */
export function retryQuestion(offer: RestoreOfferView, chatId: string, send: (message: ToHost) => void): TemplateResult {
  const answer = (goesOn: boolean) => posting({ type: 'answerRetry', chatId, goesOn });
  return html`<section class="spend-question" role="group" aria-label=${RETRY_TITLE}>
    <div class="spend-told">
      <div class="spend-title">${icon('shield')}<strong>${RETRY_TITLE}</strong></div>
      <p class="spend-reason">The messages after it move to a branch, which you can restore.</p>
      <div class="retry-files">${restoreStrip(offer, chatId, send)}</div>
    </div>
    <div class="spend-actions">
      ${button('Retry', 'primary', answer(true))} <span class="spend-way-out">${button('Cancel', 'secondary', answer(false))}</span>
    </div>
  </section>`;
}
