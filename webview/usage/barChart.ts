import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../shared/controls/icon.js';
import { LightElement, reactive } from '../shared/lightElement.js';

/** Number of horizontal lines above the zero line of the chart. */
const LINES = 3;
/** Distances between lines that are easy to read. The chart multiplies them by a power of ten. */
const STEPS = [1, 2, 2.5, 4, 5, 10];

/** Minimum height of a part as a share of the chart's height, so that the part is visible. */
const LEAST_SHARE = 0.006;

interface BarPart {
  /** Style of the colour, see chart.css. */
  readonly tone: string;
  readonly size: number;
  readonly isFaint: boolean;
}

export interface Bar {
  readonly key: number;
  /** The text below the bar, and the short text above it. */
  readonly label: string;
  readonly sum: string;
  /** What screen readers say. */
  readonly words: string;
  /** The parts of the bar, from the bottom. */
  readonly parts: readonly BarPart[];
  /** The icon above the bar. Null without an icon. */
  readonly sign: string | null;
  /** Returns the content of the card that the bar shows when pointed at or focused. Null without a card. */
  readonly card: (() => TemplateResult) | null;
}

/** Bars with lines at round values. A click selects a bar. */
export class BarChart extends LightElement {
  static override properties = reactive(['name', 'kind', 'bars', 'chosen', 'onAxis', 'onChoose'], ['looked']);
  /** The accessible name. */
  declare name: string;
  /** Class of the group of bars. */
  declare kind: string;
  declare bars: readonly Bar[];
  /** Key of the selected bar. Null if no bar is selected. */
  declare chosen: number | null;
  /** Formats a value for its line. */
  declare onAxis: (value: number) => string;
  /** Called with the key of a bar, or with null if the user cancels the selection. */
  declare onChoose: (key: number | null) => void;
  /** Index of the bar whose card is visible. Null without such a bar. */
  declare private looked: number | null;

  constructor() {
    super();
    this.looked = null;
  }

  protected override render(): TemplateResult {
    const lines = scale(Math.max(0, ...this.bars.map(sizeOf)));
    return html`<div class="plot" @keydown=${this.#keyed} @pointerleave=${this.#left} @focusout=${this.#left}>
      <div class="lines" aria-hidden="true">
        ${lines.toReversed().map((value) => html`<span><i>${this.onAxis(value)}</i></span>`)}
      </div>
      <div class=${`bars ${this.kind}`} role="group" aria-label=${this.name} data-roving="bars">
        ${this.bars.map((bar, at) => this.#bar(bar, at, lines.at(-1) ?? 0))}
      </div>
    </div>`;
  }

  #bar(bar: Bar, at: number, top: number): TemplateResult {
    const isChosen = this.chosen === bar.key;
    const classes = ['bar', isChosen ? 'chosen' : '', this.chosen !== null && !isChosen ? 'other' : ''].join(' ');
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
          this.onChoose(isChosen ? null : bar.key);
        }}
      >
        <span class="sr-only">${bar.words}</span>
        <span class="column" aria-hidden="true">
          <span class="bar-sum">${bar.sign === null ? bar.sum : icon(bar.sign)}</span>
          ${bar.parts
            .filter(({ size }) => size > 0)
            .toReversed()
            .map(
              ({ tone, size, isFaint }) =>
                html`<span class=${`piece tone ${tone} ${isFaint ? 'faint' : ''}`} .style=${`height:${Math.max(LEAST_SHARE, size / top) * 100}%`}></span>`,
            )}
        </span>
        <span class="bar-label" aria-hidden="true">${bar.label}</span>
      </button>
      ${this.looked === at && bar.card !== null ? this.#card(bar.card(), at) : nothing}
    </div>`;
  }

  /** The card is hidden from screen readers, because the words of the bar contain the same. */
  #card(content: TemplateResult, at: number): TemplateResult {
    return html`<div class=${`card ${at * 2 < this.bars.length ? 'after' : 'before'}`} aria-hidden="true">${content}</div>`;
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

function sizeOf({ parts }: Bar): number {
  return parts.reduce((sum, { size }) => sum + size, 0);
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
