import { html, type TemplateResult } from 'lit';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import { CardElement } from '../../shared/controls/cardElement.js';
import { reactive } from '../../shared/lightElement.js';
import { basisMark, counted, percent, tokens } from '../../shared/numbers.js';
import { openSummary } from '../rows/opening.js';
import { type SummaryActions, summaryPart } from '../summary/summaryPart.js';
import { meterBar, meterInWords, sizeInWords } from './meterBar.js';

/** The context meter: how full the context window is. A click opens a card about the context window. */
export class HistoryCardElement extends CardElement {
  static override properties = reactive(['request', 'onSettings'], []);
  declare request: NextRequestView;
  declare onSettings: () => void;

  protected override render(): TemplateResult {
    const { request } = this;
    const { totalTokens, budget } = request;
    const share = totalTokens > budget ? '> 100%' : percent(totalTokens, budget);
    return this.opener(
      {
        words: html`${meterBar(request)}<span class="meter-percent">${share}</span>`,
        label: `${share} full: ${sizeInWords(request)} tokens in the context window. Show the parts`,
        title: meterInWords(request),
        classes: `meter-size ${fullness(request)}`,
      },
      historyCard(request, {
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

/** Share of the context window from which the meter warns. */
const NEARLY_FULL = 0.75;

function fullness({ totalTokens, budget }: NextRequestView): 'over' | 'nearly' | '' {
  if (totalTokens > budget) {
    return 'over';
  }
  return totalTokens > NEARLY_FULL * budget ? 'nearly' : '';
}

/** The card with the parts of the context window. `tabindex` keeps the card open when the user clicks into it. */
export function historyCard(request: NextRequestView, on: SummaryActions): TemplateResult {
  const { totalTokens, basis, history, summary } = request;
  const mark = basisMark(basis);
  const rows = [
    ['Conversation', `${mark}${tokens(history.historyTokens)}`],
    ['Everything else', `${mark}${tokens(totalTokens - history.historyTokens)}`],
    ['Left', tokens(history.remaining)],
    ['Input limit of the model', history.maxInputTokens === null ? 'unknown' : tokens(history.maxInputTokens)],
  ] as const;
  return html`<div class="meter-card history-card" role="group" aria-label="Context window in tokens" tabindex="-1">
    <dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd class="figures">${value}</dd></div>`)}</dl>
    ${summary.now === null ? html`<p class="hint">${summaryInWords(request)}</p>` : summaryPart(summary, summary.now, on)}
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
