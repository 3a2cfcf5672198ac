import { html, nothing, type TemplateResult } from 'lit';
import type { TurnColumn, TurnRow, UsageTurns } from '../../src/protocol/usage/turns.js';
import { MOST_REQUESTS, type UsageQuery } from '../../src/protocol/usage/usage.js';
import { CACHE_STATES, stateWord } from '../shared/cacheStates.js';
import { linkButton } from '../shared/controls/buttons.js';
import { icon } from '../shared/controls/icon.js';
import { limitButton } from '../shared/controls/limits.js';
import { tokens } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';
import type { Bar } from './barChart.js';
import { requestTime } from './periodWords.js';
import { columnInWords, columnName, lossesInWords, tokensInWords, turnsFacts, turnsVerdict } from './turnWords.js';
import { tokensOnAxis } from './usageChart.js';
import type { QueryHandler } from './usageLists.js';
import { priceOfSum, sourceNote } from './usageWords.js';

export interface TurnsViewPorts {
  readonly ask: QueryHandler;
  readonly open: (chatId: string, attemptId: string) => void;
  readonly writeMessage: () => void;
}

/** The icon of a turn in which the cache broke. */
const BROKEN = 'debug-disconnect';

/** Maximum number of columns with a number below each. */
const MOST_NUMBERED = 12;

/** Maximum number of rows that a click on "Show more" adds. */
const STEP = 500;

/** The turns of a chat: their cost, a chart of the cache use, and a table. */
export function turnsView(turns: UsageTurns, query: UsageQuery, ports: TurnsViewPorts): TemplateResult {
  if (turns.count === 0) {
    return html`<div class="nothing-yet">
      ${icon('graph')}
      <h2>No requests in this chat</h2>
      <p class="hint">The cost of each turn will appear here.</p>
      <div><button type="button" class="framed primary" @click=${ports.writeMessage}>Write a message</button></div>
    </div>`;
  }
  return html`<p class="verdict">
      ${turnsVerdict(turns).map(({ text, weight }) => (weight === 'plain' ? text : html`<strong class=${weight}>${text}</strong>`))}
      ${limitButton()}
    </p>
    <dl class="turn-facts">
      ${turnsFacts(turns).map(({ name, text, help }) => html`<div title=${help}><dt>${name}</dt><dd>${text}</dd></div>`)}
    </dl>
    ${chart(turns, query, ports.ask)}
    <div class="legend turn-legend">
      ${CACHE_STATES.map(
        (state) =>
          html`<span class="cache-mark ${state}">${stateWord(state, false)} <span class="figures">${tokensInWords(turns.tokens[state])}</span></span>`,
      )}
      <span class="figures">${icon(BROKEN)} cache broke</span>
    </div>
    ${table(turns, query, ports)}`;
}

function chart({ columns }: UsageTurns, { turn }: UsageQuery, ask: QueryHandler): TemplateResult {
  const every = Math.ceil(columns.length / MOST_NUMBERED);
  const bars = columns.map(
    (column, at): Bar => ({
      key: column.from,
      label: at % every === 0 ? tokens(column.from) : '',
      sum: '',
      words: columnInWords(column),
      parts: CACHE_STATES.map((state) => ({ tone: state, size: column.tokens[state].tokens ?? 0, isFaint: false })),
      sign: column.lost.count > 0 ? BROKEN : null,
      card: () => card(column),
    }),
  );
  return html`<loupe-bar-chart
    .name=${'Input tokens by turn'}
    .kind=${'of-turns'}
    .bars=${bars}
    .chosen=${turn}
    .onAxis=${tokensOnAxis}
    .onChoose=${(next: number | null) => {
      ask({ turn: next });
    }}
  ></loupe-bar-chart>`;
}

function card(column: TurnColumn): TemplateResult {
  return html`<div><strong>${columnName(column)}</strong> <span class="figures">${priceOfSum(column.sum)}</span></div>
    ${CACHE_STATES.toReversed().map(
      (state) => html`<div class="card-row">
        <span class="cache-mark ${state}">${stateWord(state, false)}</span><span class="figures">${tokensInWords(column.tokens[state])}</span>
      </div>`,
    )}`;
}

function table(turns: UsageTurns, query: UsageQuery, ports: TurnsViewPorts): TemplateResult {
  const { matching, rows } = turns;
  const more = Math.min(matching - rows.length, STEP, MOST_REQUESTS - rows.length);
  return html`<section class="requests turns" aria-labelledby="turns">
    <div class="requests-head">
      <h2 id="turns">Turns</h2>
      <span class="figures" role="status">${tokens(matching)}</span>
      <div class="turn-filters" role="group" aria-label="Filters">
        ${chosenColumn(turns, query, ports.ask)}
        <button type="button" class="framed" aria-pressed=${query.onlyLosses} ?disabled=${turns.lost.count === 0 && !query.onlyLosses} @click=${() => {
          ports.ask({ onlyLosses: !query.onlyLosses });
        }}>${icon(BROKEN)}Cache broke</button>
      </div>
    </div>
    ${
      matching === 0
        ? html`<p class="none">The cache did not break in these turns.</p>`
        : html`<div class="table-scroll">
            <table aria-labelledby="turns">
              <thead>
                <tr>
                  <th scope="col" class="of-turn">Turn</th>
                  <th scope="col" class="of-when">When</th>
                  <th scope="col" class="of-message">Message</th>
                  ${CACHE_STATES.map((state) => html`<th scope="col" class="figure of-${state}">${HEADS[state]}</th>`)}
                  <th scope="col" class="figure of-out">Out</th>
                  <th scope="col" class="figure of-price">Price</th>
                </tr>
              </thead>
              <tbody data-roving="turns">
                ${rows.map((turn) => row(turn, turns.chatId, ports))}
              </tbody>
            </table>
          </div>`
    }
    ${
      more <= 0
        ? nothing
        : linkButton(`Show ${tokens(more)} more`, () => {
            ports.ask({ most: rows.length + more });
          })
    }
    <p class="source hint">${sourceNote({ unbilled: turns.unbilled, total: turns.sum })}</p>
  </section>`;
}

const HEADS = { read: 'Read', written: 'Written', fresh: 'Uncached' } as const;

/** The selected column of the chart. A click removes the selection. */
function chosenColumn({ columns }: UsageTurns, { turn }: UsageQuery, ask: QueryHandler): TemplateResult | typeof nothing {
  const column = columns.find(({ from }) => from === turn);
  if (column === undefined) {
    return nothing;
  }
  const name = columnName(column);
  return html`<button type="button" class="framed" title="Remove the filter" aria-label=${`Remove the filter ${name}`} @click=${() => {
    ask({ turn: null });
  }}>${name}${icon('close')}</button>`;
}

/** Number of columns with figures. */
const FIGURES = CACHE_STATES.length + 2;

function row(turn: TurnRow, chatId: string, ports: TurnsViewPorts): TemplateResult {
  const { number, local, message, isDiscarded, attemptId, sum, tokens: all } = turn;
  const words = message ?? 'Outside of turns';
  const why = lossesInWords(turn);
  const figure = (name: string, text: string): TemplateResult =>
    html`<td class="figure of-${name} ${['unknown', 'none', 'no price', 'not billed'].includes(text) ? 'vague' : ''}">${text}</td>`;
  const open = (): void => {
    if (attemptId !== null) {
      ports.open(chatId, attemptId);
    }
  };
  const classes = [attemptId === null ? '' : 'opens', why === null ? '' : 'broken'].join(' ');
  return html`<tr class=${classes} @click=${open}>
      <td class="of-turn">${
        attemptId === null
          ? tokens(number)
          : // The button has no click handler, because the whole row has one.
            html`<button type="button" aria-label=${`Show the request of turn ${tokens(number)}`}>${tokens(number)}</button>`
      }</td>
      <td class="of-when">${requestTime(local)}</td>
      <td class="of-message" title=${words}>
        ${visibleText(words === '' ? 'message unreadable' : words)}${isDiscarded ? html` <span class="vague">discarded</span>` : nothing}
      </td>
      ${CACHE_STATES.map((state) => figure(state, tokensInWords(all[state])))} ${figure('out', tokensInWords(all.out))}
      ${figure('price', priceOfSum(sum))}
    </tr>
    ${
      why === null
        ? nothing
        : html`<tr class="loss" @click=${open}>
            <td class="of-turn"></td>
            <td class="of-why" colspan=${FIGURES + 2}>${icon(BROKEN)} ${visibleText(why)}</td>
          </tr>`
    }`;
}
