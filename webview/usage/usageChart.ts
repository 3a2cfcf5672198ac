import { html, type TemplateResult } from 'lit';
import type { UsageBar, UsageFigures, UsageGroup, UsageQuery, UsageSum } from '../../src/protocol/usage/usage.js';
import { counted, roughPrice, shortTokens } from '../shared/numbers.js';
import type { Bar } from './barChart.js';
import { barLabel, barName } from './periodWords.js';
import { groupName, shortSum, sumInWords, sumOnBar } from './usageWords.js';

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

/** A bar for each section of the period, divided by purpose or model. Screen readers get a table of the figures. */
export function usageChart(figures: UsageFigures, query: UsageQuery, ask: (change: Partial<UsageQuery>) => void): TemplateResult {
  const { bars, measure } = figures;
  return html`<loupe-bar-chart
      .name=${chartName(figures)}
      .kind=${`of-${bars.length}`}
      .bars=${bars.map((bar) => barOf(bar, figures, query))}
      .chosen=${query.bar}
      .onAxis=${measure === 'usd' ? dollarsOnAxis : tokensOnAxis}
      .onChoose=${(bar: number | null) => {
        ask({ bar });
      }}
    ></loupe-bar-chart>
    ${table(figures, query)}`;
}

function barOf(bar: UsageBar, figures: UsageFigures, query: UsageQuery): Bar {
  const { period, measure } = figures;
  return {
    key: bar.from,
    label: barLabel(period.unit, bar),
    sum: sumOnBar(bar.sum, measure),
    words: barInWords(bar, figures, query),
    parts: bar.groups.map((group) => ({
      tone: toneOf(group, figures, query),
      size: sizeOf(group.sum, measure),
      isFaint: query.stackBy === 'part' && query.part !== null && query.part !== group.key,
    })),
    sign: null,
    card: bar.sum.requests === 0 ? null : () => card(bar, figures, query),
  };
}

function card(bar: UsageBar, figures: UsageFigures, query: UsageQuery): TemplateResult {
  const { period, measure, modelNames } = figures;
  return html`<div><strong>${barName(period.unit, bar)}</strong> <span class="figures">${counted(bar.sum.requests, 'request')}</span></div>
    ${bar.groups.map(
      (group) => html`<div class="card-row">
        <span class=${`swatch tone ${toneOf(group, figures, query)}`}></span>${groupName(group, query.stackBy, modelNames)}<span class="figures">${shortSum(group.sum, measure)}</span>
      </div>`,
    )}`;
}

function table(figures: UsageFigures, { stackBy }: UsageQuery): TemplateResult {
  const { bars, legend, measure, period, modelNames } = figures;
  return html`<div class="sr-only">
    <table>
      <caption>${chartName(figures)}, as a table</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Requests</th>
          ${legend.map((group) => html`<th scope="col">${groupName(group, stackBy, modelNames)}</th>`)}
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

function chartName({ measure, period }: UsageFigures): string {
  const what = measure === 'usd' ? 'Cost' : 'Tokens';
  return `${what} by ${{ day: 'hour', week: 'day', month: 'week' }[period.unit]}`;
}

function barInWords(bar: UsageBar, { measure, period, modelNames }: UsageFigures, { stackBy }: UsageQuery): string {
  if (bar.sum.requests === 0) {
    return `${barName(period.unit, bar)}: no requests`;
  }
  const parts = bar.groups.map((group) => `${groupName(group, stackBy, modelNames)} ${sumInWords(group.sum, measure)}`).join(', ');
  return `${barName(period.unit, bar)}: ${sumInWords(bar.sum, measure)}, ${counted(bar.sum.requests, 'request')}. ${parts}`;
}

function dollarsOnAxis(value: number): string {
  return value === 0 ? '$0' : roughPrice(value);
}

export function tokensOnAxis(value: number): string {
  return value === 0 ? '0' : shortTokens(value);
}

function sizeOf({ usd, input, output }: UsageSum, measure: UsageFigures['measure']): number {
  return measure === 'usd' ? (usd ?? 0) : input + output;
}

export function toneOf({ key }: UsageGroup, { legend }: UsageFigures, { stackBy }: UsageQuery): string {
  if (stackBy === 'part') {
    return PART_TONES[key ?? ''] ?? 'plain';
  }
  return MODEL_TONES[legend.findIndex((group) => group.key === key)] ?? 'plain';
}
