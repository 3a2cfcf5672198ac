import { html, nothing, type TemplateResult } from 'lit';
import type { SummaryEffect, SummaryForecast } from '../../../src/protocol/panel/compaction.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { CardElement } from '../../shared/controls/cardElement.js';
import { reactive } from '../../shared/lightElement.js';
import { counted, thousands, tokens } from '../../shared/numbers.js';
import { openSummary } from '../rows/opening.js';

/** Shows `would free 31k` below the context meter. A click opens a card about the next summary. */
export class SummaryCardElement extends CardElement {
  static override properties = reactive(['forecast', 'onSettings'], []);
  declare forecast: SummaryForecast;
  declare onSettings: () => void;

  protected override render(): TemplateResult | typeof nothing {
    const { forecast } = this;
    const { now } = forecast;
    return now === null
      ? nothing
      : this.opener(
          { words: wouldFree(now), label: `Summarizing ${wouldFree(now)} tokens`, classes: 'link-button' },
          summaryCard(forecast, now, {
            onSummarize: () => {
              this.leave();
              openSummary(this, null);
            },
            onSettings: () => {
              this.leave();
              this.onSettings();
            },
          }),
        );
  }
}

export function wouldFree({ tokens: replaced, summaryTokens }: SummaryEffect): string {
  return `would free ${thousands(replaced - summaryTokens)}`;
}

/** The card about a summary made now. `tabindex` keeps the card open when the user clicks into it. */
export function summaryCard(
  { trigger }: SummaryForecast,
  now: SummaryEffect,
  on: { readonly onSummarize: () => void; readonly onSettings: () => void },
): TemplateResult {
  return html`<div class="meter-card" role="group" aria-label="Summary" tabindex="-1">
    <p>
      <strong>Summarizing</strong> turns ${counted(now.messages, 'message')} (${counted(now.tokens, 'token')}) into about
      ${counted(now.summaryTokens, 'token')}.
    </p>
    <p class="hint">${whenInWords(trigger)}</p>
    <div class="summary-card-actions">${linkButton('Summarize…', on.onSummarize)} ${linkButton('Chat settings', on.onSettings)}</div>
  </div>`;
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
