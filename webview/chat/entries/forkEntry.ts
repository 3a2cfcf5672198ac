import { html, type TemplateResult } from 'lit';
import type { ForkEntry } from '../../../src/protocol/noteEntries.js';
import { linkButton } from '../../shared/buttons.js';
import { posting } from '../../shared/events.js';

/** A hairline behind what a fork has of another chat, with the way to where it left that. */
export function forkEntry({ chatId, messageId }: ForkEntry): TemplateResult {
  return html`<div class="entry accounting">
    <div class="accounting-line">
      <span class="figures">Forked here from another chat</span>
      ${linkButton('Show it', posting({ type: 'openMessage', chatId, messageId, found: null }))}
    </div>
  </div>`;
}
