import { html, nothing, type TemplateResult } from 'lit';
import type { AccountingEntry } from '../../../src/protocol/noteEntries.js';
import { linkButton } from '../../shared/buttons.js';
import { posting } from '../../shared/events.js';
import { price, tokens } from '../../shared/numbers.js';
import type { EntryScope } from './scope.js';

const REASONS = {
  edited: { done: 'Edited', undo: 'Bring back' },
  retried: { done: 'Retried', undo: 'Bring back' },
  broughtBack: { done: 'Brought back', undo: 'Undo' },
} as const;

/** A hairline where the conversation branched off, with the way back. */
export function accountingEntry(entry: AccountingEntry, scope: EntryScope): TemplateResult {
  const { done, undo } = REASONS[entry.reason];
  const sentence = [done, ...setAside(entry), ...spent(entry)].join(' · ');
  return html`<div class="entry accounting">
    <span class="figures">${sentence}</span>
    ${scope.isLocked ? nothing : linkButton(undo, posting({ type: 'bringBack', chatId: scope.chatId, rewindId: entry.rewindId }))}
  </div>`;
}

function setAside({ discardedMessages: count }: AccountingEntry): string[] {
  return count === 0 ? [] : [`${tokens(count)} ${count === 1 ? 'message' : 'messages'} set aside`];
}

/** The cost of the chat until then. Requests without known usage or price make it a lower bound. */
function spent({ costSoFar, unknownRequests: unknown }: AccountingEntry): string[] {
  if (costSoFar === null) {
    return [];
  }
  return unknown === 0
    ? [`${price(costSoFar)} spent`]
    : [`at least ${price(costSoFar)} spent, ${tokens(unknown)} ${unknown === 1 ? 'request' : 'requests'} unknown`];
}
