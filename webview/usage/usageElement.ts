import { html, nothing, type TemplateResult } from 'lit';
import {
  MOST_OPEN_CHATS,
  USAGE_STATE,
  type UsageMessage,
  type UsageTableRow,
  type UsageState,
  type UsageToHost,
} from '../../src/protocol/usage.js';
import { iconButton, linkButton } from '../shared/buttons.js';
import { chatTitle } from '../shared/chatTitle.js';
import { Disclosures } from '../shared/disclosures.js';
import { icon } from '../shared/icon.js';
import { LightElement, reactive } from '../shared/lightElement.js';
import { skeletonRows } from '../shared/skeleton.js';
import { ViewStore } from '../shared/viewStore.js';
import type { VsCodeApi } from '../shared/vscodeApi.js';
import { type UsageColumn, usageColumns, usageNotes } from './usageColumns.js';

/** The usage of all chats of the workspace: a line per chat, and below an open chat a line per model. */
export class UsageElement extends LightElement {
  static override properties = reactive([], ['view', 'failure']);
  declare private view: UsageState | null;
  /** The view's own error, or null. */
  declare private failure: string | null;
  readonly #store = new ViewStore(USAGE_STATE);
  #open = new Disclosures(null, () => undefined);
  #post: (message: UsageToHost) => void = () => undefined;

  constructor() {
    super();
    this.view = null;
    this.failure = null;
  }

  start(api: VsCodeApi<UsageToHost>): void {
    this.#post = (message) => {
      api.postMessage(message);
    };
    this.#open = new Disclosures(api.getState(), (open) => {
      api.setState({ open });
      this.#askForRows();
    });
    this.#post({ type: 'ready' });
  }

  accept(message: UsageMessage): void {
    const outcome = this.#store.accept(message);
    if (outcome === 'resync') {
      this.#post({ type: 'resync' });
    }
    this.view = this.#store.state;
    if (outcome === 'snapshot') {
      this.#askForRows();
    }
  }

  showFailure(message: string): void {
    this.failure = message;
  }

  protected override render(): TemplateResult {
    const { view } = this;
    const chats = view?.chats ?? null;
    const total = view?.total ?? null;
    const problem = view?.problem ?? null;
    return html`<h1>Usage</h1>
      <p class="hint">All chats of this workspace, replies that were set aside included.</p>
      ${this.failure === null ? nothing : html`<p role="alert">The usage view failed: ${this.failure}</p>`}
      ${problem === null ? nothing : this.#problem(problem)}
      ${view === null || chats === null || total === null ? waiting(problem) : this.#table(view, chats, total)}`;
  }

  #problem(text: string): TemplateResult {
    const showLog = linkButton('Show log', () => {
      this.#post({ type: 'showLog' });
    });
    return html`<p role="alert">${icon('error')} ${text} ${showLog}</p>`;
  }

  #table(view: UsageState, chats: readonly UsageTableRow[], total: UsageTableRow): TemplateResult {
    if (chats.length === 0) {
      return html`<p class="none">No request was made yet.</p>`;
    }
    const columns = usageColumns(total);
    return html`<div class="table-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Chat</th>
              ${columns.map(({ key, name }) => html`<th scope="col" class=${key}>${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${chats.map((row) => this.#chatRows(row, view, columns))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">${total.label}</th>
              ${figures(total, columns)}
            </tr>
          </tfoot>
        </table>
      </div>
      ${usageNotes(chats, total).map((note) => html`<p class="hint">${note}</p>`)}`;
  }

  #chatRows(row: UsageTableRow, { models, marked }: UsageState, columns: readonly UsageColumn[]): TemplateResult {
    const { key, label } = row;
    if (key === '') {
      return html`<tr><th scope="row">${label}</th>${figures(row, columns)}</tr>`;
    }
    const isOpen = this.#open.isOpen(key);
    const toggle = iconButton({
      label: `Models of ${label}`,
      icon: isOpen ? 'chevron-down' : 'chevron-right',
      expanded: isOpen,
      onClick: () => {
        this.#open.toggle(key);
        this.requestUpdate();
      },
    });
    const open = linkButton(chatTitle(label), () => {
      this.#post({ type: 'openChat', chatId: key });
    });
    return html`<tr class=${key === marked ? 'marked' : ''} aria-current=${key === marked ? 'true' : nothing}>
        <th scope="row" title=${label}><div class="chat-name">${toggle}${open}</div></th>
        ${figures(row, columns)}
      </tr>
      ${isOpen ? modelRows(models[key], columns) : nothing}`;
  }

  /** Asks the host for the rows of open chats; it sends no others. */
  #askForRows(): void {
    const { view } = this;
    if (view !== null) {
      const open = (view.chats ?? []).map(({ key }) => key).filter((key) => key !== '' && this.#open.isOpen(key));
      this.#post({ type: 'showRows', chats: open.slice(0, MOST_OPEN_CHATS) });
    }
  }
}

/** Nothing while a problem says why there is no table. */
function waiting(problem: string | null): TemplateResult | typeof nothing {
  return problem === null ? skeletonRows() : nothing;
}

function modelRows(
  rows: UsageState['models'][string] | undefined,
  columns: readonly UsageColumn[],
): TemplateResult | readonly TemplateResult[] {
  if (rows?.kind === 'failed') {
    return html`<tr class="model failed"><th scope="row" role="alert" title=${rows.text}>${rows.text}</th><td colspan=${columns.length}></td></tr>`;
  }
  if (rows?.kind !== 'rows') {
    return html`<tr class="model"><th scope="row" role="status">Reading the chat…</th><td colspan=${columns.length}></td></tr>`;
  }
  return rows.rows.length === 0
    ? html`<tr class="model"><th scope="row">No request was made yet.</th><td colspan=${columns.length}></td></tr>`
    : rows.rows.map((row) => html`<tr class="model"><th scope="row" title=${row.label}>${row.label}</th>${figures(row, columns)}</tr>`);
}

function figures(row: UsageTableRow, columns: readonly UsageColumn[]): TemplateResult {
  return html`${columns.map(({ key, text }) => html`<td class=${key}>${text(row)}</td>`)}`;
}
