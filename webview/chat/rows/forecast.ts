import { type TemplateResult, html, nothing } from 'lit';
import type { CacheParts, ForecastView, TurnBand } from '../../../src/protocol/forecast.js';
import type { NextRequestView } from '../../../src/protocol/panel/nextRequest.js';
import { CACHE_STATES, type CacheState, mainState, partsInWords, stateWord, sumOfParts } from '../../shared/cacheStates.js';
import { fullFigure } from '../../shared/fullFigure.js';
import { icon } from '../../shared/controls/icon.js';
import {
  NOTABLE_CORRECTION,
  basisPrice,
  minutes,
  offBy,
  percent,
  price,
  priceInWords,
  roughPrice,
  shortTokens,
  tokens,
} from '../../shared/numbers.js';
import { CountdownElement } from '../../shared/countdown.js';
import { uncachedBrief, uncachedLine, uncachedNote } from './uncached.js';

/** The short forecast: cached and written tokens, and the expiry of the cache. The details show the rest. */
export function forecastFigures({ forecast, uncached }: NextRequestView): readonly TemplateResult[] {
  if (forecast === null) {
    return [];
  }
  const { parts, longWriteCost, expiresAt } = forecast;
  if (parts.read + parts.written === 0) {
    return [html`nothing cached${uncached === null ? nothing : `: ${uncachedBrief(uncached)}`}`];
  }
  const lifetime = longWriteCost === null || longWriteCost <= 0 ? nothing : html`<span class="next-word next-extra"> for 1 h</span>`;
  return [
    ...(parts.read === 0 ? [] : [cachedShare(parts)]),
    ...(parts.written === 0 ? [] : [sum('written', parts, lifetime)]),
    ...(uncached === null || parts.read > 0 ? [] : [html`(${uncachedBrief(uncached)})`]),
    ...(expiresAt === null ? [] : [html`${icon('history')}<loupe-expiry .at=${expiresAt}></loupe-expiry>`]),
  ];
}

/** Describes the forecast for the tooltip of the next request. */
export function forecastInWords({ forecast, uncached, isPretended, basis }: NextRequestView): readonly string[] {
  if (forecast === null) {
    return uncachedLine(uncached, 0);
  }
  const { parts, longWriteCost } = forecast;
  return [
    expectedInWords(parts),
    ...uncachedLine(uncached, parts.read),
    ...(longWriteCost === null || longWriteCost <= 0 ? [] : [`Written for 1 h, ${moreInWords(longWriteCost, { isPretended, basis })}`]),
  ];
}

/** The whole forecast of the next request's cache use, with the expiry of the cache and later costs. */
export function forecastPart(
  { forecast, uncached, inputCost, isPretended, basis }: NextRequestView,
  chatId: string,
): TemplateResult | typeof nothing {
  if (forecast === null) {
    return uncached === null ? nothing : html`<div class="forecast">${uncachedNote(uncached, 0, chatId)}</div>`;
  }
  const { parts, longWriteCost, expiresAt, costAfter, turn } = forecast;
  const later =
    expiresAt === null || inputCost === null || costAfter === null
      ? nothing
      : html`<span class="figures end">input <strong>${priceInWords(basisPrice(price(inputCost), basis), isPretended)}</strong>, later ${basisPrice(price(costAfter), basis)}</span>`;
  return html`<div class="forecast">
    ${cacheBar(parts)}
    <div class="forecast-line">
      ${CACHE_STATES.filter((state) => parts[state] > 0).map((state) => sum(state, parts, nothing))}
    </div>
    ${uncached === null ? nothing : uncachedNote(uncached, parts.read, chatId)}
    ${longWrite(longWriteCost, { isPretended, basis })}
    ${expiresAt === null ? nothing : html`<div class="forecast-line"><span class="figures expiry">${icon('history')} <loupe-expiry .at=${expiresAt}></loupe-expiry></span>${later}</div>`}
    ${wholeTurn(turn, isPretended)} ${past(forecast)}
  </div>`;
}

/** Shows the additional cost of a longer cache lifetime, which the user can change in the chat settings. */
function longWrite(cost: number | null, basis: PriceBasis): TemplateResult | typeof nothing {
  return cost === null || cost <= 0
    ? nothing
    : html`<div class="forecast-line" title="You can change the cache lifetime in the chat settings">
        <span class="figures">written for 1 h, ${moreInWords(cost, basis)}</span>
      </div>`;
}

type PriceBasis = Pick<NextRequestView, 'isPretended' | 'basis'>;

function moreInWords(cost: number, { isPretended, basis }: PriceBasis): string {
  return `${priceInWords(basisPrice(price(cost), basis), isPretended)} more than for 5 min`;
}

/** The expected cost of a whole turn with its tool calls, estimated from earlier turns. */
function wholeTurn(turn: TurnBand | null, isPretended: boolean): TemplateResult | typeof nothing {
  if (turn === null) {
    return nothing;
  }
  const range = `${roughPrice(turn.low)} to ${roughPrice(turn.high)}`;
  return html`<p class="forecast-past" title="8 of 10 turns cost between these prices">
    With tool calls, messages like this ${isPretended ? 'would cost' : 'cost'} ${range}.
  </p>`;
}

/** Minimum number of forecasts for a statement about their accuracy. */
const LEAST_FORECASTS = 5;

/** Shows how accurate earlier forecasts were, and by how much Loupe corrects token counts. */
function past({ accuracy: { average, of, isWhole }, correction }: ForecastView): TemplateResult | typeof nothing {
  const which = isWhole ? 'Forecasts in this chat' : `The latest ${tokens(of)} forecasts in this chat`;
  const sentences = [
    ...(average === null || of < LEAST_FORECASTS ? [] : [`${which} were off by ${offBy(average)} on average.`]),
    ...(Math.abs(correction) < NOTABLE_CORRECTION ? [] : [correctionInWords(correction)]),
  ];
  return sentences.length === 0 ? nothing : html`<p class="forecast-past">${sentences.join(' ')}</p>`;
}

function correctionInWords(correction: number): string {
  const [change, counts] = correction > 0 ? ['adds', 'more'] : ['subtracts', 'fewer tokens'];
  return `Loupe now ${change} ${offBy(correction)}, as the provider counts ${counts}.`;
}

function sum(state: CacheState, parts: CacheParts, lifetime: TemplateResult | typeof nothing): TemplateResult {
  return html`<span class="figures cache-mark ${state}">${shortTokens(parts[state])}<span class="next-word cache-word"> ${stateWord(state, true)}</span>${lifetime}</span>`;
}

/** The cached tokens. A narrow line of the next request shows their share instead. */
function cachedShare(parts: CacheParts): TemplateResult {
  return fullFigure(sum('read', parts, nothing), percent(parts.read, sumOfParts(parts)));
}

function expectedInWords(parts: CacheParts): string {
  return `Expected use of the cache, in tokens: ${partsInWords(parts, true)}`;
}

function cacheBar(parts: CacheParts): TemplateResult {
  const words = expectedInWords(parts);
  return html`<div class="cache-bar" role="img" aria-label=${words} title=${words}>${segments(parts)}</div>`;
}

/** A small bar of a part of a request. Hidden from screen readers. */
export function miniCacheBar(parts: CacheParts | null): TemplateResult | typeof nothing {
  return parts === null ? nothing : html`<span class="cache-bar mini" aria-hidden="true">${segments(parts)}</span>`;
}

function segments(parts: CacheParts): TemplateResult[] {
  const all = sumOfParts(parts);
  return CACHE_STATES.filter((state) => parts[state] > 0).map(
    (state) => html`<span class=${state} .style=${`width:${(100 * parts[state]) / all}%`}></span>`,
  );
}

/** The mark of a row. Shows the cache state of most tokens of the part. */
export function cacheMark(parts: CacheParts | null): TemplateResult | typeof nothing {
  if (parts === null) {
    return nothing;
  }
  const state = mainState(parts);
  return html`<span class="cache-mark ${state}" title=${expectedInWords(parts)}></span><span class="sr-only">${stateWord(state, true)}</span>`;
}

/** Counts down to the time at which the provider's cache drops the content that the next request would read. */
export class ExpiryElement extends CountdownElement {
  protected override render(): TemplateResult {
    const left = this.at - Date.now();
    return left < 0 ? html`expired` : html`<span class="next-word cache-word">expires in </span>${minutes(left)}`;
  }
}
