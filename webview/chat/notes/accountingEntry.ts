import { html, nothing, type TemplateResult } from 'lit';
import type { AccountingEntry, UsageTotals } from '../../../src/protocol/panel/entries.js';
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
  const figures = [...(discarded === null || discarded.attempts === 0 ? [] : spent(discarded)), ...chatSoFar(soFar)];
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

function spent(totals: UsageTotals): string[] {
  const { completionTokens, cost, unknownAttempts } = totals;
  const inputTokens = inputOf(totals);
  if (inputTokens + completionTokens === 0 && unknownAttempts > 0) {
    return ['usage unknown'];
  }
  return [
    `${tokens(inputTokens)} in`,
    `${tokens(completionTokens)} out`,
    ...(cost === null ? [] : [atLeast(price(cost), unknownAttempts)]),
  ];
}

function inputOf({ promptTokens, cacheReadInputTokens, cacheCreationInputTokens }: UsageTotals): number {
  return promptTokens + cacheReadInputTokens + cacheCreationInputTokens;
}

/** Describes the usage of the whole chat until the branch. The words must not look like the cost of the edit. */
function chatSoFar(totals: UsageTotals): string[] {
  const { completionTokens, cost, unknownAttempts } = totals;
  const all = counted(inputOf(totals) + completionTokens, 'token');
  return [`whole chat up to here ${all}`, ...(cost === null ? [] : [atLeast(price(cost), unknownAttempts)])];
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

function allOf(totals: UsageTotals): string {
  const { attempts, promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens, cost, unknownAttempts } = totals;
  const all = [
    counted(attempts, 'request'),
    `${tokens(promptTokens)} uncached, ${tokens(cacheReadInputTokens)} cached, ${tokens(cacheCreationInputTokens)} written in`,
    `${tokens(completionTokens)} out`,
    ...(cost === null ? [] : [price(cost)]),
    ...(unknownAttempts === 0 ? [] : [`${counted(unknownAttempts, 'request')} of unknown cost`]),
  ];
  return all.join(' · ');
}
