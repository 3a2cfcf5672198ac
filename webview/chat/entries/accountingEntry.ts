import { html, nothing, type TemplateResult } from 'lit';
import type { AccountingEntry } from '../../../src/protocol/noteEntries.js';
import { linkButton } from '../../shared/buttons.js';
import { posting } from '../../shared/events.js';
import { counted, price } from '../../shared/numbers.js';
import type { EntryScope } from './scope.js';

const REASONS = {
  edited: { done: 'Edited', undo: 'Bring back' },
  retried: { done: 'Retried', undo: 'Bring back' },
  broughtBack: { done: 'Brought back', undo: 'Undo' },
} as const;

/** A hairline where the conversation branched off, and below it what the chat had cost by then, with the way back. */
export function accountingEntry(entry: AccountingEntry, scope: EntryScope): TemplateResult {
  const { done, undo } = REASONS[entry.reason];
  const figures = spent(entry);
  return html`<div class="entry accounting">
    <div class="accounting-line"><span class="figures">${[done, ...setAside(entry)].join(' · ')}</span></div>
    <div class="accounting-more">
      ${figures.length === 0 ? nothing : html`<span class="figures spent" title=${figures.join(', ')}>${figures.map((figure) => html`<span>${figure}</span>`)}</span>`}
      ${scope.isLocked ? nothing : linkButton(undo, posting({ type: 'bringBack', chatId: scope.chatId, rewindId: entry.rewindId }))}
    </div>
  </div>`;
}

function setAside({ discardedMessages: count }: AccountingEntry): string[] {
  return count === 0 ? [] : [`${counted(count, 'message')} set aside`];
}

/** The cost of the whole chat until then, worded so that it is not taken for that of the edit. Requests without known usage or price make it a lower bound. */
function spent({ costSoFar, unknownRequests: unknown }: AccountingEntry): string[] {
  if (costSoFar === null) {
    return [];
  }
  return unknown === 0
    ? [`whole chat by then ${price(costSoFar)}`]
    : [`whole chat by then at least ${price(costSoFar)}`, `${counted(unknown, 'request')} unknown`];
}
