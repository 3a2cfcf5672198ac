import { html, nothing, type TemplateResult } from 'lit';
import type { AccountingEntry, UsageSumView } from '../../../src/protocol/panel/noteEntries.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { counted, price, tokens } from '../../shared/numbers.js';
import type { EntryScope } from '../request/scope.js';

/**
 * Shows where the conversation branches: the usage of the replaced messages, the usage of the chat until then, and a
 * button that restores the messages.
 */
export function accountingEntry(entry: AccountingEntry, scope: EntryScope): TemplateResult {
  const { discarded, soFar, discardedMessages: count } = entry;
  const said = [reason(entry), ...(count === 0 ? [] : [`${counted(count, 'message')} on another branch`])];
  const figures = [...(discarded === null || discarded.requests === 0 ? [] : spent(discarded)), ...chatSoFar(soFar)];
  return html`<div class="entry accounting">
    <div class="accounting-line"><span class="figures">${said.join(' · ')}</span></div>
    <div class="accounting-more">
      ${
        figures.length === 0
          ? nothing
          : html`<span class="spent" title=${tooltip(entry)}>${figures.map((figure) => html`<span class="figures">${figure}</span>`)}</span>`
      }
      ${scope.isLocked ? nothing : linkButton(undo(entry), posting({ type: 'bringBack', chatId: scope.chatId, rewindId: entry.rewindId }))}
    </div>
  </div>`;
}

function reason({ reason: why, isAfterError }: AccountingEntry): string {
  switch (why) {
    case 'edited':
      return 'Message edited';
    case 'retried':
      return isAfterError ? 'Retry after error' : 'Retry';
    case 'broughtBack':
      return 'Restored';
  }
}

function undo({ reason: why }: AccountingEntry): string {
  return why === 'broughtBack' ? 'Undo' : 'Restore';
}

function spent({ uncachedTokens, cachedTokens, writtenTokens, outputTokens, cost, unknownRequests }: UsageSumView): string[] {
  const inputTokens = uncachedTokens + cachedTokens + writtenTokens;
  if (inputTokens + outputTokens === 0 && unknownRequests > 0) {
    return ['usage unknown'];
  }
  return [`${tokens(inputTokens)} in`, `${tokens(outputTokens)} out`, ...(cost === null ? [] : [atLeast(price(cost), unknownRequests)])];
}

/** Describes the usage of the whole chat until the branch. The words must not look like the cost of the edit. */
function chatSoFar({ uncachedTokens, cachedTokens, writtenTokens, outputTokens, cost, unknownRequests }: UsageSumView): string[] {
  const all = uncachedTokens + cachedTokens + writtenTokens + outputTokens;
  return [`whole chat up to here ${counted(all, 'token')}`, ...(cost === null ? [] : [atLeast(price(cost), unknownRequests)])];
}

/** Marks a sum as a lower bound, if requests of unknown usage or price are missing in the sum. */
function atLeast(written: string, unknownRequests: number): string {
  return unknownRequests === 0 ? written : `at least ${written}`;
}

function tooltip({ discarded, soFar }: AccountingEntry): string {
  return [
    ...(discarded === null ? [] : [`Usage of the other branch: ${allOf(discarded)}`]),
    `Usage of the whole chat up to here, with all branches: ${allOf(soFar)}`,
    'Loupe does not send this line to the model.',
  ].join('\n');
}

function allOf({
  requests,
  uncachedTokens,
  cachedTokens,
  writtenTokens,
  outputTokens,
  cost,
  unknownRequests: unknown,
}: UsageSumView): string {
  const all = [
    counted(requests, 'request'),
    `${tokens(uncachedTokens)} uncached, ${tokens(cachedTokens)} cached, ${tokens(writtenTokens)} written in`,
    `${tokens(outputTokens)} out`,
    ...(cost === null ? [] : [price(cost)]),
    ...(unknown === 0 ? [] : [`${counted(unknown, 'request')} of unknown cost`]),
  ];
  return all.join(' · ');
}
