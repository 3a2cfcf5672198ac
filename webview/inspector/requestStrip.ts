import { html, nothing, type TemplateResult } from 'lit';
import type { CacheParts } from '../../src/protocol/forecast.js';
import { shortTokens, tokens } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';
import { type BlockRun, runNumber } from './blockRuns.js';
import { CACHE_STATES, mainState, stateWord } from '../shared/cacheStates.js';

/** Minimum share of the strip at which a segment shows its size. At `ROOM_FOR_NAME`, it also shows its name. */
const ROOM_FOR_SIZE = 0.05;
const ROOM_FOR_NAME = 0.2;

export interface StripOptions {
  readonly isNext: boolean;
  /** Position of the block where the cache broke. Null when the cache did not break. */
  readonly brokenAt: number | null;
  /** Position of the selected block. Null without a selection. */
  readonly selected: number | null;
  readonly select: (run: BlockRun) => void;
}

/** The blocks of a request in the order in which they were sent. The width of a block shows its size. */
export function requestStrip(runs: readonly BlockRun[], { isNext, brokenAt, selected, select }: StripOptions): TemplateResult {
  const all = Math.max(1, sumOf(runs));
  return html`<div class="strip" role="group" aria-label="Blocks by size" data-roving="strip">
    ${runs.map((run, at) => {
      const isSelected = selected !== null && selected >= run.from && selected < run.to;
      const state = run.cache === null ? '' : `, ${stateWord(mainState(run.cache), isNext)}`;
      // Starts with the visible words of the segment, so that voice control finds the segment.
      const words = `${runNumber(run)}, ${run.name} ${shortTokens(run.tokens)} tokens${state}`;
      return html`${run.from === brokenAt ? brokenLine(sumOf(runs.slice(0, at)) / all) : nothing}
        <button
          type="button"
          class="segment ${run.cache === null ? 'unknown' : ''}"
          data-selects
          aria-pressed=${isSelected}
          aria-label=${words}
          title=${`${runNumber(run)}, ${run.name}, ${tokens(run.tokens)} tokens${state}`}
          .style=${`flex-grow:${run.tokens}`}
          @click=${() => {
            select(run);
          }}
        >
          ${run.cache === null ? nothing : fill(run.cache)}
          <span class="segment-words" aria-hidden="true">${segmentWords(run, run.tokens / all)}</span>
        </button>`;
    })}
  </div>`;
}

function sumOf(runs: readonly BlockRun[]): number {
  return runs.reduce((sum, run) => sum + run.tokens, 0);
}

/** The line where the cache broke. `before`: share of the strip on the left of the line, which places the label. */
function brokenLine(before: number): TemplateResult {
  const style = `transform:translateX(${before * -100}%)`;
  return html`<span class="broke" aria-hidden="true"><span class="broke-label" .style=${style}>cache broke here</span></span>`;
}

function fill(parts: CacheParts): TemplateResult {
  return html`<span class="fill" aria-hidden="true"
    >${CACHE_STATES.filter((state) => parts[state] > 0).map((state) => html`<span class="part ${state}" .style=${`flex-grow:${parts[state]}`}></span>`)}</span
  >`;
}

function segmentWords({ name, tokens: size }: BlockRun, share: number): TemplateResult | string {
  if (share < ROOM_FOR_SIZE) {
    return '';
  }
  return share < ROOM_FOR_NAME ? shortTokens(size) : html`${visibleText(name)} ${shortTokens(size)}`;
}
