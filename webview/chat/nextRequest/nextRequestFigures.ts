import { type TemplateResult, html, nothing } from 'lit';
import type { ProviderCount, NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import { expectedPrice, replyInWords, requestPriceWords } from '../../../src/protocol/requestPrice.js';
import { assertNever } from '../../shared/assertNever.js';
import { posting } from '../../shared/events.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { basisMark, basisPrice, counted, percent, price, priceInWords, roughPrice, shortTokens, tokens } from '../../shared/numbers.js';
import { fullFigure } from '../../shared/fullFigure.js';
import { icon } from '../../shared/controls/icon.js';
import { limitButton } from '../../shared/controls/limits.js';
import { revealHidden } from '../../shared/hidden.js';
import { visibleText } from '../../shared/visibleText.js';
import { forecastFigures, forecastInWords } from '../rows/forecast.js';

/** Content of the next request that is not complete: the running reply, and `waiting` queued messages. */
export interface PendingParts {
  readonly waiting: number;
}

/** The id of the figures, which describe the button of the next request to screen readers. */
export const FIGURES_ID = 'next-request-figures';

type Figure = string | TemplateResult;

/**
 * Shows the size of the next request with its price, or with its pending parts. A narrow line hides the words first,
 * then figures from the end. The tooltip shows everything.
 */
export function requestFigures(request: NextRequestView | null, pending: PendingParts | null): TemplateResult {
  if (request === null) {
    return html`<span id=${FIGURES_ID} class="figures next-request-total">Counting</span>`;
  }
  const [words, more] =
    pending === null
      ? [
          [costInWords(request), ...forecastInWords(request)].filter((line) => line !== '').join('\n'),
          [...cost(request), ...forecastFigures(request)],
        ]
      : [pendingInWords(pending), toCome(pending)];
  return html`<span id=${FIGURES_ID} class="figures next-request-total ${showsUnusual(request, pending) ? 'unusual' : ''}" title=${words}>
    <span>${size(request)}</span>${more.map((figure) => html` <span>${figure}</span>`)}
  </span>`;
}

/** The tokens of the request. A lower bound while the tools of servers are unknown. */
function size({ totalTokens, basis: kind, unknownServers }: NextRequestView): TemplateResult {
  const unit = totalTokens === 1 ? ' token' : ' tokens';
  return html`${basisMark(unknownServers.length > 0 ? 'atLeast' : kind)}${fullFigure(tokens(totalTokens), shortTokens(totalTokens))}<span class="next-word">${unit}</span>`;
}

/** The lines below the sum: price of a reply, accuracy of the figures, and whether the provider counts tokens. */
export function requestFoot(request: NextRequestView, pending: PendingParts | null): TemplateResult {
  const { reply, inputCost, providerCount, basis: kind } = request;
  const sure = [basis(request), pending === null ? priceNote(request) : pendingInWords(pending)].filter((words) => words !== '').join(' ');
  const isUnpriced = pending === null && inputCost === null && kind !== 'atLeast';
  const counting = kind === 'atLeast' || providerCount === null ? nothing : counts(providerCount, kind === 'providerCount');
  return html`${reply === null || inputCost === null ? nothing : html`<div class="reply-price figures">+ reply, ${replyInWords(reply)}</div>`}
    ${sure === '' && counting === nothing ? nothing : html`<p class="hint">${sure} ${isUnpriced ? linkButton('Add prices', posting({ type: 'showPrices' })) : nothing} ${counting}</p>`}`;
}

/** Says that the provider counts or can count the tokens, and then gets the draft. Shows a switch for a choice. */
function counts({ label, isOn, switchable }: ProviderCount, hasCounted: boolean): TemplateResult {
  const name = visibleText(label);
  const told = hasCounted
    ? html`Counted by ${name}, which gets your draft as you type.`
    : html`${name} counts the tokens, and gets your draft as you type.`;
  const words = isOn ? told : html`${name} can count the tokens exactly, but then gets your draft as you type.`;
  return html`${words} ${switchable === null ? nothing : countSwitch(switchable, isOn)}`;
}

function countSwitch(provider: string, isOn: boolean): TemplateResult {
  const title = isOn
    ? 'If you turn off this count, Loupe estimates the tokens, and the provider gets nothing until you send a message.'
    : 'If you turn on this count, Loupe sends your draft and the files to the provider at each pause in your typing.';
  return html`<button type="button" class="link-button" title=${title} @click=${posting({ type: 'setProviderCount', provider, isOn: !isOn })}>
    ${isOn ? 'Turn off' : 'Count exactly'}
  </button>`;
}

/** Explains where the size comes from. Empty for the model's own tokenizer and for the provider's count. */
function basis({ basis: kind, error }: NextRequestView): string {
  switch (kind) {
    case 'exact':
    case 'providerCount':
      return '';
    case 'estimate':
      // Shows an accuracy of at least 1 %. Smaller values are not useful.
      return error === null ? 'Estimate.' : `Estimate, usually within ${percent(Math.max(error, 0.01), 1)}.`;
    case 'atLeast':
      return 'Too long to send. Loupe counted only the latest messages.';
    default:
      return assertNever(kind);
  }
}

function toCome({ waiting }: PendingParts): Figure[] {
  return ['+ this reply', ...(waiting === 0 ? [] : [`+ ${counted(waiting, 'message')}`])];
}

function pendingInWords({ waiting }: PendingParts): string {
  const [waits, them] = waiting === 1 ? ['waits', 'it'] : ['wait', 'them'];
  const messages = waiting === 0 ? '' : ` ${counted(waiting, 'message')} ${waits} for it. The next request will contain ${them} too.`;
  return `The model is writing a reply, which will be in the next request. The size and the price are known after the reply.${messages}`;
}

/** The price of the request with a typical reply. A narrow line keeps the `+` of an unknown reply. */
function cost(request: NextRequestView): Figure[] {
  const expected = expectedPrice(request);
  if (expected === null) {
    return request.basis === 'atLeast' ? [] : ['· price unknown'];
  }
  const { figure, covers } = requestPriceWords(expected);
  const words = html`· ${isUnusual(request) ? html`${icon('warning')} ` : nothing}${priceInWords(figure, request.isPretended)}`;
  return covers === '+ reply'
    ? [html`${words} +<span class="next-word"> reply</span>`]
    : [html`${words}<span class="next-word next-extra"> ${covers}</span>`];
}

/** The price of the title, which a second request writes after the first reply. */
export function titleInWords({ titleCost, isPretended }: NextRequestView): string[] {
  return titleCost === null ? [] : [`The title of the chat ${isPretended ? 'would cost' : 'costs'} ≈ ${roughPrice(titleCost)} more.`];
}

function costInWords(request: NextRequestView): string {
  const { inputCost, reply, unusual, basis: kind } = request;
  const note = priceNote(request);
  if (inputCost === null) {
    return note;
  }
  const lines = [`Input ${basisPrice(price(inputCost), kind)}`, `+ reply${reply === null ? '' : `, ${replyInWords(reply)}`}`];
  return [...lines, ...titleInWords(request), note, unusual === null ? '' : revealHidden(unusual)].filter((line) => line !== '').join('\n');
}

/** Says why the price is in yellow. Nothing for a usual price. */
export function unusualNote({ unusual }: NextRequestView): TemplateResult | typeof nothing {
  return unusual === null
    ? nothing
    : html`<p class="unusual-note">${icon('info')}<span>${visibleText(unusual)} ${limitButton()}</span></p>`;
}

function isUnusual({ unusual }: NextRequestView): boolean {
  return unusual !== null;
}

function priceNote({ inputCost, mayBeCached, isPretended, basis: kind }: NextRequestView): string {
  if (inputCost === null) {
    return kind === 'atLeast' ? '' : 'Price unknown: this model has no prices.';
  }
  const discount = mayBeCached ? ['These prices do not include the cache discount.'] : [];
  return [...(isPretended ? ['Free practice model. Prices are examples.'] : []), ...discount].join(' ');
}

/** Whether the line shows an unusual price. During a reply, the line shows no price. */
export function showsUnusual(request: NextRequestView | null, pending: PendingParts | null): boolean {
  return pending === null && request !== null && isUnusual(request);
}
