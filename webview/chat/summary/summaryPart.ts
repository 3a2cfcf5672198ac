import { html, type TemplateResult } from 'lit';
import type { SummaryEffect, SummaryForecast } from '../../../src/protocol/panel/compaction.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { counted, tokens } from '../../shared/numbers.js';

export interface SummaryActions {
  readonly onSummarize: () => void;
  readonly onSettings: () => void;
}

/** The part of the meter's card about a summary made now. */
export function summaryPart({ trigger }: SummaryForecast, now: SummaryEffect, on: SummaryActions): TemplateResult {
  return html`<p>
      <strong>Summarizing</strong> turns ${counted(now.messages, 'message')} (${counted(now.tokens, 'token')}) into about
      ${counted(now.summaryTokens, 'token')}.
    </p>
    <p class="hint">${whenInWords(trigger)}</p>
    <div class="summary-card-actions">${linkButton('Summarize…', on.onSummarize)} ${linkButton('Chat settings', on.onSettings)}</div>`;
}

function whenInWords(trigger: SummaryForecast['trigger']): string {
  if (trigger === null) {
    return 'Loupe summarizes this chat only when you ask.';
  }
  if (trigger.then === 'putOff') {
    return 'You have postponed the summary. Loupe asks again after your next summary.';
  }
  const what = trigger.then === 'asked' ? 'Loupe asks you' : 'Loupe summarizes automatically';
  if (trigger.left <= 0) {
    return `${what} after the next reply.`;
  }
  return `${what} at ${counted(trigger.at, trigger.unit === 'tokens' ? 'token' : 'message')}, ${tokens(trigger.left)} more than now.`;
}
