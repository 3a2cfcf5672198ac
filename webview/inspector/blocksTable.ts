import { type TemplateResult, html, nothing } from 'lit';
import { CORRECTION, CORRECTION_REASON } from '../../src/protocol/correction.js';
import type { CacheParts } from '../../src/protocol/forecast.js';
import { type BlockKind, type InspectedBlock, type InspectedRequest, NEXT_REQUEST } from '../../src/protocol/inspector/inspector.js';
import { fileIcon, icon } from '../shared/controls/icon.js';
import { revealHidden } from '../shared/hidden.js';
import { columnPrice, markedPrice, signedTokens, tokens } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';
import { type BlockRun, isFolded, runNumber } from './blockRuns.js';
import { mainState, stateWord } from '../shared/cacheStates.js';

const ICONS: Readonly<Record<Exclude<BlockKind, 'file'>, string>> = {
  tool: 'tools',
  system: 'server-process',
  rule: 'law',
  reference: 'book',
  page: 'globe',
  repository: 'repo',
  skill: 'mortar-board',
  summary: 'archive',
  editor: 'window',
  message: 'comment',
};

const LIFETIMES = { '5m': '5 min', '30m': '30 min', '1h': '1 h' } as const;

export interface TableScope {
  readonly brokenAt: number | null;
  readonly selected: number | null;
  /** Positions of the blocks that match the search. Null without a search. */
  readonly found: ReadonlySet<number> | null;
  /** Whether a run is open. `from` is the position of the run's first block. */
  readonly isOpen: (from: number) => boolean;
  readonly toggle: (from: number) => void;
  readonly select: (block: number) => void;
}

interface Row extends Pick<InspectedBlock, 'name' | 'tokens' | 'cache' | 'price' | 'why'> {
  readonly number: string;
  readonly block: InspectedBlock | null;
  readonly breakpoints: readonly BreakpointLifetime[];
}

export function blocksTable(request: InspectedRequest, runs: readonly BlockRun[], scope: TableScope): TemplateResult {
  const isNext = request.id === NEXT_REQUEST;
  return html`<table class="blocks ${emptyColumns(request).join(' ')}" aria-label="Blocks">
    <thead>
      <tr>
        <th scope="col" class="of-number">#</th>
        <th scope="col">Block</th>
        <th scope="col" class="of-tier">Tier</th>
        <th scope="col" class="figure">Tokens</th>
        <th scope="col" class="of-cache"><span class="cache-word">Cache</span></th>
        <th scope="col" class="figure of-price">Price</th>
        <th scope="col" class="of-why">Why</th>
      </tr>
    </thead>
    <tbody data-roving="blocks">
      ${runs.map((run) => runRows(run, request, { ...scope, isNext }))}
    </tbody>
    <tbody class="sums">
      ${sumRow('Formatting', request.framing, null, false)} ${sumRow(CORRECTION, request.difference, null, false)}
      ${sumRow('Input', request.input, request.inputPrice, false)} ${request.reply === null ? nothing : sumRow('Reply', request.reply, request.replyPrice, request.isReplyEstimated)}
    </tbody>
  </table>`;
}

/**
 * Returns the classes that hide columns with the same value in all rows. The detail of a block and the sum above the
 * table have these values, too.
 */
function emptyColumns({ blocks, inputPrice, replyPrice }: InspectedRequest): readonly string[] {
  const isSame = (valueOf: (block: InspectedBlock) => unknown): boolean => new Set(blocks.map(valueOf)).size < 2;
  return [
    ...(isSame(({ tier }) => tier) ? ['no-tier'] : []),
    ...(isSame(({ cache }) => (cache === null ? null : mainState(cache))) ? ['no-cache'] : []),
    ...(isSame(({ why }) => why) ? ['no-why'] : []),
    ...(inputPrice === null && replyPrice === null && blocks.every(({ price }) => price === null) ? ['no-price'] : []),
  ];
}

/** A row with a sum. Rows with zero tokens are hidden, except for the two totals. */
function sumRow(name: string, size: number, price: number | null, isEstimate: boolean): TemplateResult | typeof nothing {
  const isSum = name === 'Input' || name === 'Reply';
  return size === 0 && !isSum
    ? nothing
    : html`<tr class=${isSum ? 'sum' : 'rest'}>
        <td class="of-number"></td>
        <th scope="row" title=${name === CORRECTION ? CORRECTION_REASON : nothing}>${name}</th>
        <td class="of-tier"></td>
        <td class="figure">${isEstimate ? '≈ ' : ''}${signedTokens(size)}</td>
        <td class="of-cache"></td>
        <td class="figure of-price">${price === null ? '' : isEstimate ? markedPrice('≈', columnPrice(price, false)) : columnPrice(price, false)}</td>
        <td class="of-why"></td>
      </tr>`;
}

type RowScope = TableScope & { readonly isNext: boolean };

function runRows(run: BlockRun, { blocks }: InspectedRequest, scope: RowScope): TemplateResult {
  const own = blocks.slice(run.from, run.to);
  const isClosed = isFolded(run) && !scope.isOpen(run.from);
  const rows = (isClosed ? [] : own).map((block, at): TemplateResult => {
    const row = { ...block, number: tokens(run.from + at + 1), block, breakpoints: breakpointsOf([block]) };
    return blockRow(row, run.from + at, { isInRun: isFolded(run), ...scope });
  });
  return html`${run.from === scope.brokenAt ? html`<tr class="broke"><td colspan="7"><span class="sr-only">cache broke here</span></td></tr>` : nothing}
    ${isFolded(run) ? runRow(run, own, scope) : nothing} ${rows}`;
}

function runRow(run: BlockRun, own: readonly InspectedBlock[], scope: RowScope): TemplateResult {
  const isOpen = scope.isOpen(run.from);
  const holds = (at: number | null): boolean => at !== null && at >= run.from && at < run.to;
  const [first] = own;
  const whys = new Set(own.map(({ why }) => why));
  const breakpoints = breakpointsOf(own);
  const row: Row = { ...run, number: runNumber(run), block: null, breakpoints, why: whys.size === 1 ? (first?.why ?? '') : '' };
  const isFound = scope.found !== null && [...scope.found].some(holds);
  return html`<tr class="run ${!isOpen && holds(scope.selected) ? 'selected' : ''} ${isFound ? 'found' : ''}">
    <td class="of-number">${row.number}</td>
    <td class="of-name">
      <button
        type="button"
        class="row-button"
        aria-expanded=${isOpen}
        aria-label=${rowInWords(row, scope.isNext)}
        @click=${() => {
          scope.toggle(run.from);
        }}
      >
        ${icon(isOpen ? 'chevron-down' : 'chevron-right')}${icon(iconOf(first))}<span class="row-name">${run.name}</span>
        ${breakpoints.map(breakpointLabel)}
      </button>
    </td>
    ${cells(row, first?.tier ?? '', scope.isNext)}
  </tr>`;
}

function blockRow(
  row: Row & { readonly block: InspectedBlock },
  at: number,
  scope: RowScope & { readonly isInRun: boolean },
): TemplateResult {
  const { block } = row;
  const isSelected = at === scope.selected;
  const classes = [scope.isInRun ? 'in-run' : '', isSelected ? 'selected' : '', scope.found?.has(at) === true ? 'found' : ''];
  const select = (): void => {
    scope.select(at);
  };
  return html`<tr class=${classes.join(' ')} @click=${select}>
    <td class="of-number">${row.number}</td>
    <td class="of-name">
      <button type="button" class="row-button" data-selects data-block=${at} aria-pressed=${isSelected} aria-label=${rowInWords(row, scope.isNext)}>
        ${icon(iconOf(block))}<span class="row-name" title=${revealHidden(block.name)}>${visibleText(block.name)}</span>
        ${row.breakpoints.map(breakpointLabel)} ${block.problem === null ? nothing : icon('warning')}
      </button>
    </td>
    ${cells(row, block.tier, scope.isNext)}
  </tr>`;
}

function cells(row: Row, tier: string, isNext: boolean): TemplateResult {
  return html`<td class="of-tier">${tier}</td>
    <td class="figure">${tokens(row.tokens)}</td>
    <td class="of-cache">${row.cache === null ? nothing : cacheMark(row.cache, isNext)}</td>
    <td class="figure of-price">${row.price === null ? '' : columnPrice(row.price, false)}</td>
    <td class="of-why" title=${row.why}>${visibleText(row.why)}</td>`;
}

function cacheMark(parts: CacheParts, isNext: boolean): TemplateResult {
  const state = mainState(parts);
  return html`<span class="cache-mark ${state}" title=${stateWord(state, isNext)}><span class="cache-word">${stateWord(state, isNext)}</span></span>`;
}

/** Describes a row: `AGENTS.md 1 h, 1,160 tokens, read, $0.0003, always, breakpoint`. The visible text comes first. */
function rowInWords({ name, tokens: size, cache, price, why, block, breakpoints }: Row, isNext: boolean): string {
  return [
    [revealHidden(name), ...breakpoints.map((mark) => LIFETIMES[mark])].join(' '),
    `${tokens(size)} tokens`,
    ...(cache === null ? [] : [stateWord(mainState(cache), isNext)]),
    ...(price === null ? [] : [columnPrice(price, false)]),
    ...(why === '' ? [] : [why]),
    ...(breakpoints.length === 0 ? [] : ['breakpoint']),
    ...(block === null || block.problem === null ? [] : ['content missing']),
  ].join(', ');
}

type BreakpointLifetime = NonNullable<InspectedBlock['breakpoint']>;

function breakpointsOf(blocks: readonly InspectedBlock[]): readonly BreakpointLifetime[] {
  return blocks.flatMap(({ breakpoint }) => breakpoint ?? []);
}

function breakpointLabel(mark: BreakpointLifetime): TemplateResult {
  return html`<span class="mark figures" title="Breakpoint: the cache keeps the content before it for ${LIFETIMES[mark]}">${icon('bookmark')} ${LIFETIMES[mark]}</span>`;
}

export function iconOf(block: Pick<InspectedBlock, 'kind' | 'name'> | undefined): string {
  if (block === undefined) {
    return ICONS.message;
  }
  return block.kind === 'file' ? fileIcon(block.name) : ICONS[block.kind];
}
