import { html, nothing, type TemplateResult } from 'lit';
import type { AccountingEntry } from '../../../src/protocol/view.js';
import { linkButton } from '../../shared/controls.js';
import { posting } from '../../shared/events.js';
import { price, tokens } from '../../shared/numbers.js';
import type { EntryScope } from './scope.js';

const REASONS = { edited: 'Edited', retried: 'Retried', broughtBack: 'Brought back' } as const;

/** A hairline where the conversation went another way, with the way back. */
export function accountingEntry(entry: AccountingEntry, scope: EntryScope): TemplateResult {
  const sentence = [
    REASONS[entry.reason],
    ...(entry.discardedMessages > 0 ? [`${tokens(entry.discardedMessages)} discarded`] : []),
    ...(entry.costSoFar === null ? [] : [`${price(entry.costSoFar)} so far`]),
  ].join(' · ');
  return html`<div class="entry accounting">
    <span class="figures">${sentence}</span>
    ${scope.isLocked ? nothing : linkButton('Bring back', posting({ type: 'bringBack', chatId: scope.chatId, rewindId: entry.rewindId }))}
  </div>`;
}
