import { html, nothing, type TemplateResult } from 'lit';
import type { ChartRequest, InspectorChart, RequestSign } from '../../src/protocol/inspector/inspector.js';
import { icon } from '../shared/controls/icon.js';
import { counted, percent, price, tokens } from '../shared/numbers.js';
import { revealHidden } from '../shared/hidden.js';
import { CACHE_STATES, partsInWords, stateWord, sumOfParts } from '../shared/cacheStates.js';

/** Height of the tallest bar, in pixels. */
const HEIGHT = 44;
/** Maximum number of bars with a number each. In a longer chart, every tenth bar has a number. */
const MOST_NUMBERED = 40;
const EACH_NUMBERED = 10;
/** Minimum height of a part in pixels, so that the part is visible. */
const LEAST_HEIGHT = 2;

const SIGNS: Readonly<Record<RequestSign, { readonly icon: string; readonly words: string }>> = {
  edit: { icon: 'edit', words: 'a message was edited' },
  summary: { icon: 'archive', words: 'asked for a summary' },
};

const CHANGED = 'file-code';

/** Shows a bar for each request of the chat, divided by cache state. `shown`: id of the current request. */
export function requestChart(chart: InspectorChart, shown: string, show: (id: string) => void): TemplateResult {
  const largest = Math.max(1, ...chart.requests.map(({ parts }) => sumOfParts(parts)));
  return html`<section class="chart" aria-label="All requests of the chat">
    ${
      chart.requests.length === 0
        ? html`<p class="hint">Loupe has not sent a request in this chat yet.</p>`
        : html`<div class="bars" role="group" aria-label="Requests" data-roving="chart">
            ${chart.requests.map((request, at) => {
              const hasNumber = chart.requests.length <= MOST_NUMBERED || at % EACH_NUMBERED === EACH_NUMBERED - 1;
              return bar(request, { number: at + 1, hasNumber, isShown: request.id === shown, largest, show });
            })}
          </div>`
    }
    <div class="chart-foot figures">
      ${CACHE_STATES.map((state) => html`<span class="cache-mark ${state}">${stateWord(state, false)}</span>`)}
      <span class="end">${totals(chart)}</span>
    </div>
  </section>`;
}

interface BarOptions {
  readonly number: number;
  readonly hasNumber: boolean;
  readonly isShown: boolean;
  readonly largest: number;
  readonly show: (id: string) => void;
}

function bar(request: ChartRequest, { number, hasNumber, isShown, largest, show }: BarOptions): TemplateResult {
  const { id, parts, signs, changed } = request;
  const icons = [...signs.map((sign) => SIGNS[sign].icon), ...(changed === null ? [] : [CHANGED])];
  const words = barInWords(request, number);
  return html`<button
    type="button"
    class=${hasNumber ? 'bar numbered' : 'bar'}
    aria-label=${words}
    aria-current=${isShown ? 'true' : nothing}
    title=${words}
    @click=${() => {
      show(id);
    }}
  >
    ${icons.length > 0 ? html`<span class="signs">${icons.map(icon)}</span>` : nothing}
    ${CACHE_STATES.toReversed()
      .filter((state) => parts[state] > 0)
      .map(
        (state) =>
          html`<span class="part ${state}" .style=${`height:${Math.max(LEAST_HEIGHT, (HEIGHT * parts[state]) / largest)}px`}></span>`,
      )}
    ${hasNumber ? html`<span class="bar-number">${tokens(number)}</span>` : nothing}
  </button>`;
}

function barInWords({ parts, isReported, signs, changed }: ChartRequest, number: number): string {
  const size = `${tokens(sumOfParts(parts))} tokens`;
  const cache = isReported ? partsInWords(parts, false) : 'counted by Loupe';
  const events = [...signs.map((sign) => SIGNS[sign].words), ...(changed === null ? [] : [`${revealHidden(changed)} had changed`])];
  return [`Request ${tokens(number)}: ${size}`, cache, ...events].join(', ');
}

function totals({ requests, input, read, output, isOutputEstimated, cost, unknown }: InspectorChart): string {
  if (unknown > 0 && input === 0) {
    return counted(requests.length, 'request');
  }
  const share = input === 0 ? '' : `, ${percent(read, input)} read`;
  const least = unknown > 0 ? '≥ ' : '';
  const about = least === '' && isOutputEstimated ? '≈ ' : least;
  return [
    counted(requests.length, 'request'),
    `${least}${tokens(input)} in${share}`,
    `${about}${tokens(output)} out`,
    ...(cost === null ? [] : [`${about}${price(cost)}`]),
  ].join(' · ');
}
