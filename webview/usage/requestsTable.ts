import { html, nothing, type TemplateResult } from 'lit';
import { MOST_REQUESTS, type UsageColumn, type UsageQuery, type UsageRequest, type UsageRequests } from '../../src/protocol/usage/usage.js';
import { linkButton } from '../shared/controls/buttons.js';
import { icon } from '../shared/controls/icon.js';
import { tokens } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';
import { requestTime } from './periodWords.js';
import { countInWords, DELETED_CHAT, priceInWords } from './usageWords.js';
import type { QueryHandler } from './usageLists.js';

interface Column {
  readonly key: UsageColumn;
  readonly name: string;
  readonly isFigure: boolean;
  readonly text: (request: UsageRequest) => string;
}

const COLUMNS: readonly Column[] = [
  { key: 'when', name: 'When', isFigure: false, text: ({ local }) => requestTime(local) },
  {
    key: 'purpose',
    name: 'Purpose',
    isFigure: false,
    text: ({ purpose, requests }) => (requests === 1 ? purpose : `${purpose} × ${tokens(requests)}`),
  },
  { key: 'chat', name: 'Chat', isFigure: false, text: ({ chat }) => chat ?? DELETED_CHAT },
  { key: 'model', name: 'Model', isFigure: false, text: ({ model }) => model },
  { key: 'in', name: 'In', isFigure: true, text: ({ counts }) => countInWords(counts.in) },
  { key: 'cached', name: 'Cached', isFigure: true, text: ({ counts }) => countInWords(counts.cached) },
  { key: 'written', name: 'Written', isFigure: true, text: ({ counts }) => countInWords(counts.written) },
  { key: 'out', name: 'Out', isFigure: true, text: ({ counts }) => countInWords(counts.out) },
  { key: 'price', name: 'Price', isFigure: true, text: ({ price }) => priceInWords(price) },
];

/** Maximum number of rows that a click on "Show more" adds. */
const STEP = 500;

export interface TablePorts {
  readonly ask: QueryHandler;
  readonly open: (request: UsageRequest) => void;
}

/** A table of requests. A row can combine embeddings or token counts. A click on other rows opens the request. */
export function requestsTable({ count, rows }: UsageRequests, query: UsageQuery, ports: TablePorts): TemplateResult {
  if (count === 0) {
    return html`<p class="none">No request matches.</p>`;
  }
  const more = Math.min(count - rows.length, STEP, MOST_REQUESTS - rows.length);
  return html`<div class="table-scroll">
      <table aria-labelledby="requests">
        <thead>
          <tr data-roving="heads">
            ${COLUMNS.map((column) => head(column, query.sort, ports.ask))}
          </tr>
        </thead>
        <tbody data-roving="requests">
          ${rows.map((request) => row(request, ports))}
        </tbody>
      </table>
    </div>
    ${
      more <= 0
        ? beyond(count - rows.length)
        : linkButton(`Show ${tokens(more)} more`, () => {
            ports.ask({ most: rows.length + more });
          })
    }`;
}

function beyond(left: number): TemplateResult | typeof nothing {
  return left === 0 ? nothing : html`<p class="hint">Filter or export the requests to see the other ${tokens(left)}.</p>`;
}

function head({ key, name, isFigure }: Column, sort: UsageQuery['sort'], ask: QueryHandler): TemplateResult {
  const isSorted = sort.column === key;
  // The first click on a column sorts times and figures from high to low, and names from A to Z.
  const isDescending = isSorted ? !sort.isDescending : isFigure || key === 'when';
  const direction = sort.isDescending ? 'descending' : 'ascending';
  return html`<th scope="col" class=${columnClass(key, isFigure)} aria-sort=${isSorted ? direction : nothing}>
    <button type="button" @click=${() => {
      ask({ sort: { column: key, isDescending } });
    }}>${name}${isSorted ? icon(sort.isDescending ? 'arrow-down' : 'arrow-up') : nothing}</button>
  </th>`;
}

function row(request: UsageRequest, { open }: TablePorts): TemplateResult {
  const opened = request.opens ? request : null;
  return html`<tr
    class=${opened === null ? '' : 'opens'}
    @click=${() => {
      if (opened !== null) {
        open(opened);
      }
    }}
  >
    ${COLUMNS.map(({ key, isFigure, text }) => {
      const words = text(request);
      // The button has no click handler, because the whole row has one.
      const shown =
        key === 'when' && opened !== null
          ? html`<button type="button" aria-label=${`Show the request of ${words}`}>${words}</button>`
          : visibleText(words);
      return html`<td class=${`${columnClass(key, isFigure)} ${['unknown', 'no price', 'not billed'].includes(words) ? 'vague' : ''}`} title=${cellHelp(key, request, words)}>${shown}</td>`;
    })}
  </tr>`;
}

/** The tooltip with the full text of a cell that may be cut off. */
function cellHelp(key: UsageColumn, { isElsewhere }: UsageRequest, words: string): string | typeof nothing {
  if (key === 'chat') {
    return isElsewhere ? `${words}, in another workspace` : words;
  }
  return key === 'model' || key === 'purpose' ? words : nothing;
}

function columnClass(key: UsageColumn, isFigure: boolean): string {
  return isFigure ? `of-${key} figure` : `of-${key}`;
}
