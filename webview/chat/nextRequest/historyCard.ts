import { html, type TemplateResult } from 'lit';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import { CardElement } from '../../shared/controls/cardElement.js';
import { reactive } from '../../shared/lightElement.js';
import { basisMark, counted, tokens } from '../../shared/numbers.js';

/** Shows `12,142 of 99,488 tokens` below the context meter. A click opens a card about the context window. */
export class HistoryCardElement extends CardElement {
  static override properties = reactive(['request'], []);
  declare request: NextRequestView;

  protected override render(): TemplateResult {
    const size = sizeInWords(this.request);
    return this.opener(
      {
        words: html`${size}<span class="unit"> tokens</span>`,
        label: `${size} tokens in the context window. Show the parts`,
        classes: 'meter-size',
      },
      historyCard(this.request),
    );
  }
}

/** Returns the used and available tokens: `12,142 of 99,488`. */
export function sizeInWords({ totalTokens, budget, basis }: NextRequestView): string {
  return `${basisMark(basis)}${tokens(totalTokens)} of ${tokens(budget)}`;
}

/** The card with the parts of the context window. `tabindex` keeps the card open when the user clicks into it. */
export function historyCard(request: NextRequestView): TemplateResult {
  const { totalTokens, basis, history } = request;
  const mark = basisMark(basis);
  const rows = [
    ['Conversation', `${mark}${tokens(history.historyTokens)}`],
    ['Everything else', `${mark}${tokens(totalTokens - history.historyTokens)}`],
    ['Left', tokens(history.remaining)],
    ['Input limit of the model', history.maxInputTokens === null ? 'unknown' : tokens(history.maxInputTokens)],
  ] as const;
  return html`<div class="meter-card history-card" role="group" aria-label="Context window in tokens" tabindex="-1">
    <dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd class="figures">${value}</dd></div>`)}</dl>
    <p class="hint">${summaryInWords(request)}</p>
  </div>`;
}

/** Describes when Loupe will summarize the conversation, and how much is left until then. */
function summaryInWords({ history: { needsSummary, compaction }, summary: { trigger } }: NextRequestView): string {
  if (trigger === null) {
    return 'Loupe summarizes this chat only when you ask.';
  }
  if (trigger.then === 'putOff') {
    return 'You have postponed the summary. Loupe asks again after your next summary.';
  }
  const at = counted(trigger.at, trigger.unit === 'tokens' ? 'token' : 'message');
  if (trigger.then === 'asked') {
    return `Loupe asks you to summarize when ${trigger.unit === 'tokens' ? 'the next request' : 'the conversation'} has ${at}.`;
  }
  if (needsSummary) {
    return 'Loupe summarizes the conversation after the next reply.';
  }
  const most = trigger.unit === 'tokens' ? counted(compaction.trigger, 'token') : at;
  return `Loupe summarizes the conversation at ${most}. The conversation has reached ${compaction.percent}% of this.`;
}
