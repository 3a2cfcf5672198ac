import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { AllowedToolRow, AllowedToolsView } from '../../../src/protocol/panel/toolCalls.js';
import { disclosure } from '../../shared/controls/buttons.js';
import { RovingFocus } from '../../shared/controls/rovingFocus.js';
import { post } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { counted } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';

/** The section of the context pane with everything that the user allowed for more than one call. */
export class AllowedToolsElement extends LightElement {
  static override properties = reactive(['chatId', 'allowed', 'search', 'isOpen', 'onToggle'], []);
  declare chatId: string;
  /** Null until the host has read the approvals. */
  declare allowed: AllowedToolsView | null;
  declare search: string;
  declare isOpen: boolean;
  declare onToggle: () => void;
  readonly #roving = new RovingFocus(() => [...this.querySelectorAll<HTMLElement>('.allowed-tool button')]);

  protected override updated(): void {
    this.#roving.refresh('first');
  }

  protected override render(): TemplateResult | typeof nothing {
    const { allowed, search } = this;
    if (allowed === null) {
      return nothing;
    }
    const wanted = search.trim();
    const rows = matchingApprovals(allowed, search);
    if (wanted !== '' && rows.length === 0) {
      return nothing;
    }
    const count = String(allowed.rows.length);
    const isOpen = wanted !== '' || this.isOpen;
    return html`<div class="manager-section" role="group" aria-label="Allowed tools (${count})">
      <div class="manager-head">
        ${disclosure(html`<span class="manager-title">Allowed tools</span> <span class="figures">${count}</span>`, isOpen, this.onToggle)}
      </div>
      ${isOpen ? this.#content(allowed, rows) : nothing}
    </div>`;
  }

  #content({ unreadable, problem }: AllowedToolsView, rows: readonly AllowedToolRow[]): TemplateResult {
    return html`${
      problem === null
        ? nothing
        : html`<p class="manager-note server-problem">Loupe cannot read what you allowed for all chats: ${visibleText(problem)}</p>`
    }
      ${rows.length === 0 && problem === null ? html`<p class="none">Nothing yet. Loupe asks before each tool runs.</p>` : nothing}
      <ul @keydown=${this.#keyed} @focusin=${this.#focused}>
        ${repeat(rows, ({ binding, reach }) => `${binding} ${reach}`, this.#row)}
      </ul>
      ${
        unreadable.length === 0
          ? nothing
          : html`<p class="manager-note">
              Loupe cannot read ${counted(unreadable.length, 'approval')}, and asks instead: ${visibleText(unreadable.join(', '))}
            </p>`
      }`;
  }

  readonly #row = (row: AllowedToolRow): TemplateResult => {
    const name = nameInWords(row);
    const label = `${revealHidden(name)}, ${reachInWords(row)}`;
    const takeBack = ({ currentTarget }: Event): void => {
      this.#roving.neighbour(currentTarget)?.focus();
      post(this, { type: 'takeBackApproval', chatId: this.chatId, binding: row.binding });
    };
    return html`<li class="manager-row allowed-tool">
      <span class="allowed-name" title=${revealHidden(name)}>${row.kind === 'command' ? html`<code>${visibleText(name)}</code>` : visibleText(name)}</span>
      <span class="allowed-reach">${reachInWords(row)}</span>
      <button type="button" class="link-button" aria-label="Take back: ${label}" @click=${takeBack}>Take back</button>
      ${row.hasChanged ? html`<p class="allowed-note">It has changed since then, so Loupe asks again.</p>` : nothing}
    </li>`;
  };

  readonly #focused = (event: FocusEvent): void => {
    this.#roving.focused(event.target);
  };

  readonly #keyed = (event: KeyboardEvent): void => {
    const next = this.#roving.next(event);
    if (next !== null) {
      event.preventDefault();
      next.focus();
    }
  };
}

/** Returns the approvals whose name contains the text of the search. */
export function matchingApprovals({ rows }: AllowedToolsView, search: string): readonly AllowedToolRow[] {
  const wanted = search.trim().toLowerCase();
  return rows.filter((row) => [nameInWords(row), row.folders].join('\n').toLowerCase().includes(wanted));
}

function nameInWords({ kind, name, reach }: AllowedToolRow): string {
  switch (kind) {
    case 'everyCommand':
      return 'Every command';
    case 'reading':
      return reach === 'elsewhere' ? `Read files of ${name}` : 'Read files of this folder';
    case 'command':
    case 'tool':
      return name;
  }
}

function reachInWords({ reach, kind, workingFolder, folders }: AllowedToolRow): string {
  const where = workingFolder === null ? '' : `in ${revealHidden(workingFolder)}, `;
  switch (reach) {
    case 'turn':
      return `${where}this turn`;
    case 'chat':
      return `${where}this chat`;
    case 'folder':
      return `${where}all chats of this folder`;
    case 'elsewhere':
      return kind === 'reading' ? 'all its chats' : `${where}all chats of ${revealHidden(folders)}`;
    case 'all':
      return 'all chats';
  }
}
