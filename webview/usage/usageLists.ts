import { type TemplateResult, html, nothing } from 'lit';
import type { UsageFigures, UsageGroup, UsageQuery, UsageRanking, UsageSum } from '../../src/protocol/usage/usage.js';
import { linkButton } from '../shared/controls/buttons.js';
import { visibleText } from '../shared/visibleText.js';
import { toneOf } from './usageChart.js';
import { DELETED_CHAT, groupName, shortSum, withoutPrice } from './usageWords.js';

export type QueryHandler = (change: Partial<UsageQuery>) => void;

/** The legend of the chart: each colour with its sum. The user chooses what divides the bars. A click adds a filter. */
export function legend(figures: UsageFigures, query: UsageQuery, ask: QueryHandler): TemplateResult {
  return html`<div class="legend">
    <div class="legend-groups" role="group" aria-label="Parts of the chart" data-roving="legend">
      ${figures.legend.map((group) => legendGroup(group, figures, query, ask))}
    </div>
    ${segments({
      label: 'Divide the bars',
      name: 'stack',
      value: query.stackBy,
      choices: [
        ['part', 'By purpose'],
        ['model', 'By model'],
      ],
      onChoose: (stackBy) => {
        ask({ stackBy });
      },
    })}
  </div>`;
}

function legendGroup(group: UsageGroup, figures: UsageFigures, query: UsageQuery, ask: QueryHandler): TemplateResult {
  const { stackBy } = query;
  const name = groupName(group, stackBy, figures.modelNames);
  const text = html`<span class=${`swatch tone ${toneOf(group, figures, query)}`}></span>${visibleText(name)}
    <span class="figures">${group.sum.requests === 0 ? 'none' : shortSum(group.sum, figures.measure)}</span>`;
  if (group.key === null) {
    return html`<span class="legend-group">${text}</span>`;
  }
  const isChosen = query[stackBy] === group.key;
  const chosen = { [stackBy]: isChosen ? null : group.key };
  return html`<button type="button" class="legend-group" aria-pressed=${isChosen} @click=${() => {
    ask(chosen);
  }}>${text}</button>`;
}

/** The usage by model and by chat. A click adds a filter. A second click removes the filter. */
export function lists(figures: UsageFigures, query: UsageQuery, ask: QueryHandler, addPrices: () => void): TemplateResult {
  const missing = withoutPrice(figures);
  const chatName = (key: string): string => figures.chatTitles[key] ?? DELETED_CHAT;
  const modelName = (key: string): string => figures.modelNames[key] ?? key;
  return html`<div class="lists">
    <section aria-labelledby="by-model">
      <h2 id="by-model">By model</h2>
      ${list(figures.models, { name: 'models', chosen: query.model, nameOf: modelName, others: 'models' }, (model) => {
        ask({ model });
      })}
      ${missing === null ? nothing : html`<p class="hint">${missing} ${linkButton('Add prices', addPrices)}</p>`}
    </section>
    <section aria-labelledby="by-chat">
      <h2 id="by-chat">By chat</h2>
      ${list(figures.chats, { name: 'chats', chosen: query.chatId, nameOf: chatName, others: 'chats' }, (chatId) => {
        ask({ chatId });
      })}
    </section>
  </div>`;
}

interface ListParts {
  readonly name: string;
  readonly chosen: string | null;
  readonly nameOf: (key: string) => string;
  readonly others: string;
}

function list(ranking: UsageRanking, parts: ListParts, choose: (key: string | null) => void): TemplateResult {
  const { groups, measure, others } = ranking;
  const largest = Math.max(0, ...groups.map(({ sum }) => sizeOf(sum, ranking)));
  return html`<ul data-roving=${parts.name}>
    ${groups.map(({ key, sum }) => {
      const figure = shortSum(sum, measure);
      if (key === null) {
        return html`<li class="line">${line(`${others} other ${parts.others}`, share(sum, ranking, largest), figure)}</li>`;
      }
      const isChosen = key === parts.chosen;
      return html`<li>
        <button type="button" class="line" aria-pressed=${isChosen} title=${parts.nameOf(key)} @click=${() => {
          choose(isChosen ? null : key);
        }}>${line(parts.nameOf(key), share(sum, ranking, largest), figure)}</button>
      </li>`;
    })}
  </ul>`;
}

/** A line with a bar. `width` is the bar's share of the full width, or null if the sum has no price. */
function line(name: string, width: number | null, figure: string): TemplateResult {
  return html`<span class="line-name">${visibleText(name)}</span>
    <span class=${width === null ? 'line-track unpriced' : 'line-track'} aria-hidden="true">
      ${width === null ? nothing : html`<span .style=${`width:${width * 100}%`}></span>`}
    </span>
    <span class="figures">${figure}</span>`;
}

function share(sum: UsageSum, ranking: UsageRanking, largest: number): number | null {
  return ranking.measure === 'usd' && sum.usd === null ? null : sizeOf(sum, ranking) / Math.max(largest, Number.MIN_VALUE);
}

function sizeOf({ usd, input, output }: UsageSum, { measure }: UsageRanking): number {
  return measure === 'usd' ? (usd ?? 0) : input + output;
}

interface Choices<Value extends string> {
  readonly label: string;
  /** Name of the group of buttons, see rovingGroups.ts. */
  readonly name: string;
  readonly value: Value;
  readonly choices: readonly (readonly [Value, string])[];
  readonly onChoose: (value: Value) => void;
}

export function segments<Value extends string>({ label, name, value, choices, onChoose }: Choices<Value>): TemplateResult {
  return html`<div class="segments" role="radiogroup" aria-label=${label} data-roving=${name}>
    ${choices.map(
      ([each, text]) =>
        html`<button type="button" role="radio" aria-checked=${each === value} @click=${() => {
          onChoose(each);
        }}>${text}</button>`,
    )}
  </div>`;
}
