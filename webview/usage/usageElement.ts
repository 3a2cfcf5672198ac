import { html, nothing, type TemplateResult } from 'lit';
import {
  FIRST_REQUESTS,
  USAGE_STATE,
  type UsageDelta,
  type UsageFigures,
  type UsageQuery,
  type UsageRequests,
  type UsageState,
  type UsageToHost,
} from '../../src/protocol/usage/usage.js';
import { linkButton } from '../shared/controls/buttons.js';
import { limitButton, type LimitsMessage } from '../shared/controls/limits.js';
import { icon } from '../shared/controls/icon.js';
import { tokens } from '../shared/numbers.js';
import { skeletonRows } from '../shared/controls/skeleton.js';
import { visibleText } from '../shared/visibleText.js';
import { ViewElement } from '../shared/viewElement.js';
import type { Outcome } from '../shared/viewStore.js';
import { barName, periodInSentence } from './periodWords.js';
import { requestsTable } from './requestsTable.js';
import { turnsView } from './turnsView.js';
import { RovingGroups } from '../shared/controls/rovingGroups.js';
import { usageChart } from './usageChart.js';
import { usageHead } from './usageHead.js';
import { quotas } from './quotas.js';
import { legend, lists } from './usageLists.js';
import { DELETED_CHAT, partName, savingHelp, sourceNote, verdict } from './usageWords.js';

/**
 * Shows the usage of the workspace's chats: the cost in a sentence, a chart, the most used models and chats, and each
 * request.
 */
export class UsageElement extends ViewElement<UsageState, UsageDelta, UsageToHost> {
  readonly #groups = new RovingGroups(this);

  constructor() {
    super(USAGE_STATE);
  }

  protected override accepted(outcome: Outcome, before: UsageState | null): void {
    const query = this.view?.query;
    // Replaces the user's text only for a snapshot, or when the host shows another chat.
    if (query !== undefined && (outcome === 'snapshot' || query.chatId !== before?.query.chatId)) {
      this.text = query.text;
    }
  }

  protected override updated(): void {
    void this.updateComplete.then(() => {
      this.#groups.refresh();
    });
  }

  protected override render(): TemplateResult {
    const { view } = this;
    const problem = view?.problem ?? null;
    return html`<main><header>
        <h1>Usage</h1>
        ${view === null ? nothing : this.#head(view)}
      </header>
      ${this.failure === null ? nothing : html`<p role="alert">The usage view failed: ${this.failure}</p>`}
      ${problem === null ? nothing : this.#problem(problem)} ${view === null ? skeletonRows() : html`${this.#content(view)}${quotas(view.quotas)}`}</main>
      <loupe-limits .limits=${view?.limits ?? null} .chatId=${view?.query.chatId ?? null} .send=${this.#send}></loupe-limits>`;
  }

  #head({ figures, query, requests, hasTurns }: UsageState): TemplateResult | typeof nothing {
    const ports = { ask: this.#ask, exportUsage: this.#export, isEmpty: requests?.count === 0 && !query.byTurn, hasTurns };
    return figures === null ? nothing : usageHead(figures, query, ports);
  }

  #problem(text: string): TemplateResult {
    const showLog = linkButton('Show log', this.posting({ type: 'showLog' }));
    return html`<p role="alert">${icon('error')} ${text} ${showLog}</p>`;
  }

  #content({ figures, requests, turns, query, problem }: UsageState): TemplateResult | typeof nothing {
    if (figures === null || requests === null || (query.byTurn && turns === null)) {
      // Without figures, shows placeholder bars. After a problem, shows nothing, because the problem is shown above.
      return problem === null ? skeletonRows() : nothing;
    }
    return query.byTurn && turns !== null
      ? turnsView(turns, query, { ask: this.#ask, open: this.#open, writeMessage: this.posting({ type: 'writeMessage' }) })
      : this.#periodContent(figures, requests, query);
  }

  #periodContent(figures: UsageFigures, requests: UsageRequests, query: UsageQuery): TemplateResult {
    const isFiltered = query.model !== null || query.part !== null || query.bar !== null || query.text !== '';
    if (figures.total.requests === 0 && requests.count === 0 && !isFiltered) {
      return this.#nothingYet(figures, query);
    }
    return html`<p class="verdict" title=${savingHelp(figures)}>
        ${verdict(figures).map(({ text, weight }) => (weight === 'plain' ? text : html`<strong class=${weight}>${text}</strong>`))}
        ${limitButton()}
      </p>
      ${usageChart(figures, query, this.#ask)}
      ${legend(figures, query, this.#ask)} ${this.#filters(figures, query)}
      ${lists(figures, query, this.#ask, this.posting({ type: 'addPrices' }))}
      <section class="requests" aria-labelledby="requests">
        <div class="requests-head">
          <h2 id="requests">Requests</h2>
          <span class="figures" role="status">${tokens(requests.count)}</span>
          <label class="filter">
            ${icon('filter')}<span class="sr-only">Filter</span>
            <input type="text" placeholder="Filter" spellcheck="false" maxlength="1000" .value=${this.text} @input=${this.#typed} />
          </label>
        </div>
        ${requestsTable(requests, query, {
          ask: this.#ask,
          open: ({ chatId, id }) => {
            this.#open(chatId, id);
          },
        })}
        <p class="source hint">${sourceNote(figures)}</p>
      </section>`;
  }

  #nothingYet({ period }: UsageFigures, query: UsageQuery): TemplateResult {
    const before = { day: 'Day before', week: 'Week before', month: 'Month before' }[period.unit];
    return html`<div class="nothing-yet">
      ${icon('graph')}
      <h2>No requests ${periodInSentence(period)}${query.chatId === null ? '' : ' in this chat'}</h2>
      <p class="hint">The cost of each request will appear here, by day, model and chat.</p>
      <div>
        ${
          query.chatId === null
            ? nothing
            : html`<button type="button" class="framed" @click=${() => {
                this.#ask({ chatId: null });
              }}>All chats</button>`
        }
        ${
          period.hasEarlier
            ? html`<button type="button" class="framed" @click=${() => {
                this.#ask({ from: period.from - 1, bar: null });
              }}>${before}</button>`
            : nothing
        }
        <button type="button" class="framed primary" @click=${this.posting({ type: 'writeMessage' })}>Write a message</button>
      </div>
    </div>`;
  }

  /** The active filters. A click removes a filter. */
  #filters(
    { period, bars, chatTitles, modelNames }: UsageFigures,
    { chatId, model, part, bar }: UsageQuery,
  ): TemplateResult | typeof nothing {
    const span = bars.find(({ from }) => from === bar);
    const filters: readonly (readonly [string, Partial<UsageQuery>])[] = [
      ...(span === undefined ? [] : [[barName(period.unit, span), { bar: null }] as const]),
      ...(part === null ? [] : [[partName(part), { part: null }] as const]),
      ...(model === null ? [] : [[modelNames[model] ?? model, { model: null }] as const]),
      ...(chatId === null ? [] : [[chatTitles[chatId] ?? DELETED_CHAT, { chatId: null }] as const]),
    ];
    return filters.length === 0
      ? nothing
      : html`<div class="filters" role="group" aria-label="Filters" data-roving="filters">
          ${filters.map(
            ([name, change]) =>
              html`<button type="button" title="Remove the filter" aria-label=${`Remove the filter ${name}`} @click=${() => {
                this.#ask(change);
              }}>
                <span>${visibleText(name)}</span>${icon('close')}
              </button>`,
          )}
        </div>`;
  }

  readonly #typed = (event: Event): void => {
    this.text = (event.currentTarget as HTMLInputElement).value;
    this.#ask({});
  };

  readonly #open = (chatId: string, attemptId: string): void => {
    this.post({ type: 'showRequest', chatId, attemptId });
  };

  readonly #send = (message: LimitsMessage): void => {
    this.post(message);
  };

  readonly #export = (format: 'csv' | 'json'): void => {
    this.post({ type: 'exportUsage', format });
  };

  readonly #ask = (change: Partial<UsageQuery>): void => {
    this.ask({ most: FIRST_REQUESTS, text: this.text, ...change });
  };
}
