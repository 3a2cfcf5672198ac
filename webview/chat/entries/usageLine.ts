import { type TemplateResult, html, nothing } from 'lit';
import { limitInWords, type AssistantEntry, type OutputProgress, type UsageLine } from '../../../src/protocol/panel/entries.js';
import { icon } from '../../shared/controls/icon.js';
import { fullFigure } from '../../shared/fullFigure.js';
import {
  clock,
  dateTime,
  duration,
  isNotable,
  markedPrice,
  offBy,
  price,
  priceInWords,
  shortTokens,
  tokens,
} from '../../shared/numbers.js';

interface ReplyLineOptions {
  /** Whether the model differs from the model of the reply before. Only then the line names the model. */
  readonly isNewModel: boolean;
  /** Whether the line begins with the price. False in a turn with steps, whose line has the total. */
  readonly hasPrice: boolean;
  /** What the request contained. Null without a record of the request. */
  readonly context: string | null;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly actions: TemplateResult;
}

/** Shows the usage and the buttons of a reply. A click on the usage opens the context of the request. */
export function replyLine({ model, at, usage, limits }: AssistantEntry, options: ReplyLineOptions): TemplateResult {
  const { isNewModel, hasPrice, context, isOpen, onToggle, actions } = options;
  const asked = model === null ? [] : [`${model.label} (${model.key})`, `Asked at ${dateTime(at)}`];
  const words = [...(usage === null ? ['Usage unknown'] : inWords(usage)), ...asked, ...(context === null ? [] : [context])];
  return html`<div class="reply-line">
    <button
      type="button"
      class="context-button figures"
      title=${[...words, isOpen ? 'Hide the context used' : 'Show the context used'].join('\n')}
      aria-expanded=${isOpen}
      @click=${onToggle}
    >
      <span class="sr-only">Context used:</span>
      <span class="usage">
        ${usage === null ? html`<span>usage unknown</span>` : hasPrice ? charge(usage) : nothing}
        ${isNewModel && model !== null ? html`<span>${model.label}</span>` : nothing} ${usage === null ? nothing : usageFigures(usage)}
      </span>
      ${icon(isOpen ? 'chevron-up' : 'chevron-down')}
    </button>
    <div class="actions">${actions}</div>
  </div>
${limits.length === 0 ? nothing : limitsLine(limits)}`;
}

/** Shows the price, the model and the output so far of a reply that streams. In a turn with steps only the output. */
export function streamingLine({ model, at }: AssistantEntry, output: OutputProgress | null, isInTurn: boolean): TemplateResult {
  return html`<div class="reply-line streaming">
    ${output === null || output.cost === null || isInTurn ? nothing : html`<span class="figures" title="Estimated price so far, with the input">${priceInWords(markedPrice('≈', price(output.cost)), output.isPretended)}</span>`}
    ${model === null || isInTurn ? nothing : html`<span class="asked figures" title=${`${model.label} (${model.key})\nAsked at ${dateTime(at)}`}>${model.label}</span>`}
    ${output === null ? nothing : outputLine(output)}
  </div>`;
}

/** Shows the rate limits of the provider that are nearly reached. */
function limitsLine(limits: AssistantEntry['limits']): TemplateResult {
  const words = limits.flatMap((limit) => limitInWords(limit, (time) => clock(time, Date.now())));
  return html`<p class="provider-limits">${words.map((each) => html`<span class="figures">${each}</span>`)}</p>`;
}

/**
 * Returns the tokens and the time of a reply. The most important figures come first, because a narrow line hides the
 * last figures. An unknown cache write is left out; other unknown figures appear as unknown.
 */
function usageFigures(usage: UsageLine): readonly TemplateResult[] {
  const written = usage.writtenTokens ?? 0;
  return [
    html`<span>${figure(usage.inputTokens, usage.inputEstimated)} in</span>`,
    ...cached(usage),
    html`<span>${figure(usage.outputTokens, usage.outputEstimated)} out</span>`,
    ...(written > 0 ? [html`<span class="written">${fullFigure(tokens(written), shortTokens(written))} written</span>`] : []),
    ...(isNotable(usage.durationMs) ? [html`<span>${duration(usage.durationMs)}</span>`] : []),
  ];
}

function outputLine({ tokens: count, isEstimate }: OutputProgress): TemplateResult {
  const words = `${tokens(count)} output tokens have arrived, ${isEstimate ? 'estimated by Loupe' : "counted with the model's own tokenizer"}`;
  return html`<span class="figures" title=${words}>${figure(count, isEstimate)} tokens so far</span>`;
}

/** Shows the tokens that the provider read from the cache. Empty for zero tokens. */
function cached({ cachedTokens: count }: UsageLine): TemplateResult[] {
  if (count === null) {
    return [html`<span>cache use unknown</span>`];
  }
  return count === 0
    ? []
    : [html`<span class="cached">${fullFigure(tokens(count), shortTokens(count))}<span class="figure-words"> cached</span></span>`];
}

/** Returns the price if known. A reply that a fork copied has none, because its price belongs to the other chat. */
function charge(usage: UsageLine): TemplateResult[] {
  const { inherited, cost, isPretended } = usage;
  if (inherited) {
    return [html`<span class="charge">inherited<span class="sr-only"> from another chat, which counts this usage</span></span>`];
  }
  return cost === null ? [] : [html`<span class="charge">${priceInWords(markedCharge(cost, usage), isPretended)}</span>`];
}

/** Returns the price with the sign of a lower limit or of estimated tokens. A price from the provider is exact. */
function markedCharge(cost: number, { isAtLeast, isCharged, inputEstimated, outputEstimated }: UsageLine): string {
  if (isAtLeast) {
    return markedPrice('≥', price(cost));
  }
  return !isCharged && (inputEstimated || outputEstimated) ? markedPrice('≈', price(cost)) : price(cost);
}

function figure(count: number | null, isEstimate: boolean): string | TemplateResult {
  return count === null ? tokens(count) : html`${isEstimate ? '≈ ' : nothing}${fullFigure(tokens(count), shortTokens(count))}`;
}

function inWords(usage: UsageLine): readonly string[] {
  return [
    `${tokens(usage.inputTokens)} tokens in${usage.inputEstimated ? ESTIMATE : ''}`,
    `${tokens(usage.cachedTokens)} read from the cache`,
    `${tokens(usage.writtenTokens)} written to the cache`,
    ...forecastInWords(usage),
    `${tokens(usage.outputTokens)} out${usage.outputEstimated ? ESTIMATE : ''}`,
    chargeInWords(usage),
    ...(isNotable(usage.durationMs) ? [duration(usage.durationMs)] : []),
    usage.inputEstimated || usage.outputEstimated ? 'The provider reported the figures without ≈' : 'The provider reported these figures',
  ];
}

/** Describes the forecast of the request, for a comparison with the actual usage. */
function forecastInWords({ forecast }: UsageLine): string[] {
  if (forecast === null) {
    return [];
  }
  const { read, written, fresh, off } = forecast;
  return [`Forecast: ${tokens(read)} read, ${tokens(written)} written, ${tokens(fresh)} uncached${off === null ? '' : deviation(off)}`];
}

function deviation(off: number): string {
  const words = offBy(off);
  return words === offBy(0) ? ', exact' : `, off by ${words}`;
}

function chargeInWords(usage: UsageLine): string {
  const { inherited, cost, isAtLeast, isCharged, isPretended } = usage;
  if (inherited) {
    return 'Copied from the original chat of this fork. The original chat counts this usage';
  }
  if (cost === null) {
    return 'Price unknown';
  }
  if (isAtLeast) {
    return `At least ${price(cost)}: the provider bills more than tokens, for example searches`;
  }
  if (isCharged) {
    return `${price(cost)}, reported by the provider`;
  }
  const words = markedCharge(cost, usage);
  return isPretended ? `This model is free. A paid model would cost ${words}` : `${words} at the prices of the model`;
}

const ESTIMATE = ' (estimate: the provider did not report it)';
