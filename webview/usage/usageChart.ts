import { html, nothing, type TemplateResult } from 'lit';
import type { UsageBar, UsageFigures, UsageGroup, UsageQuery, UsageSum } from '../../src/protocol/usage/usage.js';
import { counted, roughPrice, shortTokens } from '../shared/numbers.js';
import { LightElement, reactive } from '../shared/lightElement.js';
import { barLabel, barName } from './periodWords.js';
import { groupName, shortSum, sumInWords, sumOnBar } from './usageWords.js';

/** Number of horizontal lines above the zero line of the chart. */
const LINES = 3;
/** Distances between lines that are easy to read. The chart multiplies them by a power of ten. */
const STEPS = [1, 2, 2.5, 4, 5, 10];

/** Colours of the parts of a bar: one for each purpose. For models, the colours follow the order by size. */
const PART_TONES: Readonly<Record<string, string>> = {
  reply: 'blue',
  title: 'plain',
  summary: 'yellow',
  embedding: 'purple',
  count: 'yellow-striped',
  probe: 'blue-striped',
  retry: 'plain-striped',
  discarded: 'purple-striped',
};
const MODEL_TONES = ['blue', 'purple', 'yellow', 'plain', 'plain-striped'];

/** Minimum height of a part as a share of the chart's height, so that the part is visible. */
const LEAST_SHARE = 0.006;

/** A bar for each section of the period, divided by purpose or model. Screen readers get a table of the figures. */
export class UsageChart extends LightElement {
  static override properties = reactive(['figures', 'query', 'onAsk'], ['looked']);
  declare figures: UsageFigures;
  declare query: UsageQuery;
  declare onAsk: (change: Partial<UsageQuery>) => void;
  /** Index of the bar whose parts are visible. Null without such a bar. */
  declare private looked: number | null;

  constructor() {
    super();
    this.looked = null;
  }

  protected override render(): TemplateResult {
    const { figures } = this;
    const lines = scale(Math.max(0, ...figures.bars.map(({ sum }) => this.#size(sum))));
    return html`<div class="plot" @keydown=${this.#keyed} @pointerleave=${this.#left} @focusout=${this.#left}>
        <div class="lines" aria-hidden="true">
          ${lines.toReversed().map((value) => html`<span><i>${this.#onAxis(value)}</i></span>`)}
        </div>
        <div class=${`bars of-${figures.bars.length}`} role="group" aria-label=${this.#name()} data-roving="bars">
          ${figures.bars.map((bar, at) => this.#bar(bar, at, lines.at(-1) ?? 0))}
        </div>
      </div>
      ${this.#table()}`;
  }

  #bar(bar: UsageBar, at: number, top: number): TemplateResult {
    const { figures, query } = this;
    const { unit } = figures.period;
    const isChosen = query.bar === bar.from;
    const classes = ['bar', isChosen ? 'chosen' : '', query.bar !== null && !isChosen ? 'other' : ''].join(' ');
    return html`<div class=${classes}>
      <button
        type="button"
        aria-pressed=${isChosen}
        @pointerenter=${() => {
          this.looked = at;
        }}
        @focus=${() => {
          this.looked = at;
        }}
        @click=${() => {
          this.onAsk({ bar: isChosen ? null : bar.from });
        }}
      >
        <span class="sr-only">${this.#barInWords(bar)}</span>
        <span class="column" aria-hidden="true">
          <span class="bar-sum">${sumOnBar(bar.sum, figures.measure)}</span>
          ${bar.groups
            .filter(({ sum }) => this.#size(sum) > 0)
            .toReversed()
            .map((group) => this.#piece(group, top))}
        </span>
        <span class="bar-label" aria-hidden="true">${barLabel(unit, bar)}</span>
      </button>
      ${this.looked === at && bar.sum.requests > 0 ? this.#card(bar, at) : nothing}
    </div>`;
  }

  #piece(group: UsageGroup, top: number): TemplateResult {
    const share = Math.max(LEAST_SHARE, this.#size(group.sum) / top);
    const { part, stackBy } = this.query;
    const isFaint = stackBy === 'part' && part !== null && part !== group.key;
    return html`<span class=${`piece tone ${this.#tone(group)} ${isFaint ? 'faint' : ''}`} .style=${`height:${share * 100}%`}></span>`;
  }

  /** The card with the parts of a bar. Hidden from screen readers, because the name of the bar contains the parts. */
  #card(bar: UsageBar, at: number): TemplateResult {
    const { bars, period, measure } = this.figures;
    return html`<div class=${`card ${at * 2 < bars.length ? 'after' : 'before'}`} aria-hidden="true">
      <div><strong>${barName(period.unit, bar)}</strong> <span class="figures">${counted(bar.sum.requests, 'request')}</span></div>
      ${bar.groups.map(
        (group) => html`<div class="card-row">
          <span class=${`swatch tone ${this.#tone(group)}`}></span>${this.#groupName(group)}<span class="figures">${shortSum(group.sum, measure)}</span>
        </div>`,
      )}
    </div>`;
  }

  #table(): TemplateResult {
    const { bars, legend, measure, period } = this.figures;
    return html`<div class="sr-only">
      <table>
        <caption>${this.#name()}, as a table</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Requests</th>
            ${legend.map((group) => html`<th scope="col">${this.#groupName(group)}</th>`)}
            <th scope="col">In all</th>
          </tr>
        </thead>
        <tbody>
          ${bars.map(
            (bar) => html`<tr>
              <th scope="row">${barName(period.unit, bar)}</th>
              <td>${bar.sum.requests}</td>
              ${legend.map(({ key }) => {
                const sum = bar.groups.find((group) => group.key === key)?.sum;
                return html`<td>${sum === undefined ? 'none' : sumInWords(sum, measure)}</td>`;
              })}
              <td>${bar.sum.requests === 0 ? 'none' : sumInWords(bar.sum, measure)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  #name(): string {
    const what = this.figures.measure === 'usd' ? 'Cost' : 'Tokens';
    return `${what} by ${{ day: 'hour', week: 'day', month: 'week' }[this.figures.period.unit]}`;
  }

  #barInWords(bar: UsageBar): string {
    const { measure, period } = this.figures;
    if (bar.sum.requests === 0) {
      return `${barName(period.unit, bar)}: no requests`;
    }
    const parts = bar.groups.map((group) => `${this.#groupName(group)} ${sumInWords(group.sum, measure)}`).join(', ');
    return `${barName(period.unit, bar)}: ${sumInWords(bar.sum, measure)}, ${counted(bar.sum.requests, 'request')}. ${parts}`;
  }

  #groupName(group: UsageGroup): string {
    return groupName(group, this.query.stackBy, this.figures.modelNames);
  }

  #tone(group: UsageGroup): string {
    return toneOf(group, this.figures, this.query);
  }

  #onAxis(value: number): string {
    if (value === 0) {
      return this.figures.measure === 'usd' ? '$0' : '0';
    }
    return this.figures.measure === 'usd' ? roughPrice(value) : shortTokens(value);
  }

  #size({ usd, input, output }: UsageSum): number {
    return this.figures.measure === 'usd' ? (usd ?? 0) : input + output;
  }

  /** Hides the card on Escape, without moving the pointer or the focus. */
  readonly #keyed = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') {
      this.looked = null;
    }
  };

  readonly #left = (): void => {
    this.looked = null;
  };
}

export function toneOf({ key }: UsageGroup, { legend }: UsageFigures, { stackBy }: UsageQuery): string {
  if (stackBy === 'part') {
    return PART_TONES[key ?? ''] ?? 'plain';
  }
  return MODEL_TONES[legend.findIndex((group) => group.key === key)] ?? 'plain';
}

/** Returns the values of the chart's lines, from 0 to the largest value or above. */
export function scale(largest: number): readonly number[] {
  if (largest <= 0) {
    return [0];
  }
  const ten = 10 ** Math.floor(Math.log10(largest / LINES));
  const step = (STEPS.find((each) => each * ten * LINES >= largest) ?? 10) * ten;
  return Array.from({ length: LINES + 1 }, (_, at) => at * step);
}
