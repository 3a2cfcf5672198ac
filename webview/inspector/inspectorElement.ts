import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import {
  INSPECTOR_STATE,
  type InspectedRequest,
  type InspectorDelta,
  type InspectorState,
  type InspectorToHost,
  LINES_AT_ONCE,
  MOST_LINES,
  NEXT_REQUEST,
  firstQuery,
} from '../../src/protocol/inspector/inspector.js';
import { linkButton } from '../shared/controls/buttons.js';
import { icon } from '../shared/controls/icon.js';
import { reactive } from '../shared/lightElement.js';
import { tokens } from '../shared/numbers.js';
import { RovingGroups } from '../shared/controls/rovingGroups.js';
import { skeletonRows } from '../shared/controls/skeleton.js';
import { visibleText } from '../shared/visibleText.js';
import { ViewElement } from '../shared/viewElement.js';
import type { Outcome } from '../shared/viewStore.js';
import { blockDetail } from './blockDetail.js';
import { type BlockRun, blockRuns } from './blockRuns.js';
import { blocksTable } from './blocksTable.js';
import { type RenderedPart, hintLine, inspectorHead, verdictLine } from './inspectorHead.js';
import { partsInWords } from '../shared/cacheStates.js';
import { type ObservationLinks, observationLine } from '../shared/observationLine.js';
import { notSelectedPart } from './notSelectedPart.js';
import { requestChart } from './requestChart.js';
import { requestStrip } from './requestStrip.js';

/** The Request Inspector shows one request of a chat: its cost with the reason, and its blocks with their content. */
export class InspectorElement extends ViewElement<InspectorState, InspectorDelta, InspectorToHost> {
  static override properties = reactive([], ['opened', 'announced']);
  /** Keys of open runs and groups. The key of a run has the id of the request and the position of the first block. */
  declare private opened: ReadonlySet<string>;
  declare private announced: string;
  readonly #groups = new RovingGroups(this);
  #selected = '';

  constructor() {
    super(INSPECTOR_STATE);
    this.opened = new Set();
    this.announced = '';
    // Handles arrow keys on runs before the groups do. A group would move the focus to the next row.
    this.addEventListener('keydown', this.#keyed, { capture: true });
  }

  protected override accepted(outcome: Outcome): void {
    if (outcome === 'snapshot') {
      this.text = this.view?.query.find ?? '';
    }
    this.#openSelected();
  }

  /** Returns the chat and the visible request. Null before the host has sent a state. */
  override keptState(): { readonly chatId: string; readonly request: string } | null {
    const { view } = this;
    return view === null ? null : { chatId: view.chatId, request: view.query.request };
  }

  protected override updated(changed: PropertyValues): void {
    void this.updateComplete.then(() => {
      this.#groups.refresh();
      if (changed.has('view')) {
        this.#showCurrentBar();
      }
    });
  }

  protected override render(): TemplateResult {
    const { view } = this;
    const problem = view?.problem ?? null;
    return html`<main>
      ${
        view === null || (view.chart === null && problem !== null)
          ? html`<h1 class="sr-only">Request Inspector</h1>`
          : inspectorHead(view.chart, view.request, view.query, {
              show: this.#show,
              find: this.#typed,
              findNext: this.#findNext,
              sendAgain: this.posting({ type: 'sendAgain' }),
              copyPayload: () => {
                this.post({ type: 'copyPayload' });
                this.announced = 'Copied the payload';
              },
              exportRequest: this.posting({ type: 'exportRequest' }),
              text: this.text,
              found: view.found,
            })
      }
      <p class="sr-only" role="status">${this.announced}</p>
      ${this.failure === null ? nothing : html`<p role="alert">The Request Inspector failed: ${this.failure}</p>`}
      ${problem === null ? nothing : this.#problem(problem)} ${view === null ? skeletonRows() : this.#content(view)}
    </main>`;
  }

  #problem(text: string): TemplateResult {
    const showLog = linkButton('Show log', this.posting({ type: 'showLog' }));
    return html`<p class="problem" role="alert">${icon('error')} <span>${visibleText(text)} ${showLog}</span></p>`;
  }

  #content({ chart, request, verdict, hint, query, problem, detail, found }: InspectorState): TemplateResult {
    const brokenAt = verdict?.brokenAt ?? null;
    const shownHint: RenderedPart = hint === null ? nothing : hintLine(hint, this.#useHint);
    const verdictScope = {
      isOpen: this.opened.has(VERDICT),
      toggle: () => {
        this.#toggle(VERDICT);
      },
      addPrices: this.posting({ type: 'showPrices' }),
    };
    return html`${verdict === null ? nothing : verdictLine(verdict, brokenAt === null ? shownHint : nothing, verdictScope)}
    ${chart === null ? nothing : requestChart(chart, query.request, this.#show)}
    ${request === null ? (problem === null ? skeletonRows() : nothing) : this.#request(request, { brokenAt, detail, found, hint: shownHint })}`;
  }

  #request(
    request: InspectedRequest,
    {
      brokenAt,
      detail,
      found,
      hint,
    }: Pick<InspectorState, 'detail' | 'found'> & { readonly brokenAt: number | null; readonly hint: RenderedPart },
  ): TemplateResult {
    const runs = blockRuns(request.blocks, brokenAt);
    const selected = detail?.block ?? null;
    const isNext = request.id === NEXT_REQUEST;
    const parts = request.parts === null ? '' : `: ${partsInWords(request.parts, isNext)}`;
    const sum = `${tokens(request.input)} tokens${request.awaitsReply ? ' + this reply' : ''}${parts}`;
    return html`<div class="sent-head"><h2>${isNext ? 'What will be sent' : 'What was sent'}</h2><span class="figures">${sum}</span></div>
      ${request.notes.map((note) => html`<p class="note">${icon('info')}<span>${visibleText(note)}</span></p>`)}
      ${requestStrip(runs, { isNext, brokenAt, selected, select: this.#selectRun })}
      <div class="columns">
        <div class="table-column">
          ${blocksTable(request, runs, {
            brokenAt,
            selected,
            found: found === null ? null : new Set(found),
            isOpen: (from) => this.opened.has(runKey(request, from)),
            toggle: (from) => {
              this.#toggle(runKey(request, from));
            },
            select: this.#select,
          })}
          ${notSelectedPart(request, { isOpen: (group) => this.opened.has(group), toggle: this.#toggle, select: this.#select })}
        </div>
        ${
          detail === null
            ? nothing
            : blockDetail(request, detail, {
                show: (kind) => {
                  this.ask({ detail: kind, block: detail.block, before: 0, most: LINES_AT_ONCE });
                },
                more: this.#more,
                copy: (block) => {
                  this.post({ type: 'copyBlock', block });
                  this.announced = 'Copied the block';
                },
                showRaw: this.posting({ type: 'showRaw' }),
                hint: detail.block === brokenAt ? hint : nothing,
              })
        }
      </div>
      ${request.observation === null ? nothing : observationLine(request.observation, this.#links)}`;
  }

  readonly #links: ObservationLinks = {
    showRequest: ({ chatId, attemptId }) => this.posting({ type: 'showRequest', chatId, attemptId }),
    showPrices: this.posting({ type: 'showPrices' }),
  };

  readonly #useHint = (offer: 'use' | 'undo'): void => {
    this.post({ type: offer === 'use' ? 'useHint' : 'undoHint' });
  };

  readonly #show = (id: string): void => {
    const { view } = this;
    if (view !== null && id !== view.query.request) {
      this.ask({ ...firstQuery(id), find: view.query.find });
    }
  };

  readonly #select = (block: number): void => {
    if (block !== this.view?.detail?.block) {
      this.ask({ block, detail: null, before: 0, most: LINES_AT_ONCE });
    }
    // A low view shows the beginning of the page without the whole detail.
    this.querySelector('.detail')?.scrollIntoView({ block: 'nearest' });
  };

  readonly #selectRun = ({ from }: BlockRun): void => {
    this.#select(from);
  };

  readonly #more = (where: 'before' | 'after'): void => {
    const { before = 0, most = LINES_AT_ONCE } = this.view?.query ?? {};
    const raise = (count: number): number => Math.min(MOST_LINES, count + LINES_AT_ONCE);
    this.ask(where === 'before' ? { before: raise(before) } : { most: raise(most) });
  };

  readonly #typed = (event: Event): void => {
    this.text = (event.currentTarget as HTMLInputElement).value;
    this.ask({ find: this.text });
  };

  /** Enter goes to the next match, Shift+Enter to the previous one. Escape ends the search. */
  readonly #findNext = (event: KeyboardEvent): void => {
    const found = this.view?.found ?? [];
    const at = this.view?.detail?.block ?? -1;
    if (event.key === 'Enter' && !event.isComposing) {
      const next = event.shiftKey ? foundBefore(found, at) : foundAfter(found, at);
      if (next !== undefined) {
        this.ask({ block: next, detail: 'text', before: 0, most: LINES_AT_ONCE });
      }
    } else if (event.key === 'Escape' && this.text !== '') {
      this.text = '';
      this.ask({ find: '' });
    }
  };

  /** Opens a run of blocks with the right arrow key and closes it with the left arrow key. */
  readonly #keyed = (event: KeyboardEvent): void => {
    const expanded = (event.target as Element | null)?.closest('.row-button')?.getAttribute('aria-expanded') ?? null;
    const wanted = { ArrowRight: 'false', ArrowLeft: 'true' }[event.key] ?? null;
    if (expanded !== null && expanded === wanted) {
      event.preventDefault();
      event.stopPropagation();
      (event.target as HTMLElement).click();
    }
  };

  readonly #toggle = (key: string): void => {
    const opened = new Set(this.opened);
    if (!opened.delete(key)) {
      opened.add(key);
    }
    this.opened = opened;
  };

  #openSelected(): void {
    const { request, detail, verdict } = this.view ?? NOTHING_SHOWN;
    const selected = `${request?.id ?? ''} ${detail?.block ?? ''}`;
    if (request === null || detail === null || selected === this.#selected) {
      return;
    }
    this.#selected = selected;
    const run = blockRuns(request.blocks, verdict?.brokenAt ?? null).find(({ from, to }) => detail.block >= from && detail.block < to);
    if (run !== undefined) {
      this.opened = new Set([...this.opened, runKey(request, run.from)]);
    }
  }

  /** Scrolls the chart so that the current bar is in the middle. */
  #showCurrentBar(): void {
    const bars = this.querySelector<HTMLElement>('.bars');
    const current = bars?.querySelector<HTMLElement>('[aria-current]') ?? null;
    if (bars !== null && current !== null && bars.dataset['shown'] !== this.view?.query.request) {
      bars.dataset['shown'] = this.view?.query.request ?? '';
      bars.scrollLeft = current.offsetLeft - bars.offsetLeft - (bars.clientWidth - current.offsetWidth) / 2;
    }
  }
}

/** The key of the verdict's details in the open parts. */
const VERDICT = 'verdict';

const NOTHING_SHOWN = { request: null, detail: null, verdict: null } as const;

/** Returns the first match after position `at`, or the first match of all when no match follows. */
function foundAfter(found: readonly number[], at: number): number | undefined {
  return found.find((block) => block > at) ?? found[0];
}

function foundBefore(found: readonly number[], at: number): number | undefined {
  return found.findLast((block) => block < at) ?? found.at(-1);
}

function runKey({ id }: InspectedRequest, from: number): string {
  return `${id} ${from}`;
}
