import { html, nothing, type TemplateResult } from 'lit';
import type { ContextGroup, ContextItemView, ContextRows, ContextUsed } from '../../src/protocol/view.js';
import { disclosure } from '../shared/buttons.js';
import { icon } from '../shared/icon.js';
import { revealHidden } from '../shared/hidden.js';
import { tokens } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';
import { adaptations } from './adaptations.js';
import { blockRows } from './blockRows.js';
import { fileLink } from './fileLink.js';
import { loading } from '../shared/skeleton.js';

type GroupType = ContextGroup['type'];

const GROUPS: readonly { readonly type: GroupType; readonly title: string; readonly icon: string }[] = [
  { type: 'rule', title: 'Rules', icon: 'law' },
  { type: 'reference', title: 'References', icon: 'book' },
  { type: 'tool', title: 'Tools', icon: 'tools' },
  { type: 'file', title: 'Files', icon: 'file-code' },
];

const MODES = { always: 'Always', manual: 'Manual', agent: 'Agent' } as const;

export interface ContextUsedOptions {
  readonly chatId: string;
  readonly context: ContextUsed | null;
  /** Null until the host has sent them. */
  readonly rows: ContextRows | null;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** The button that shows the request. */
  readonly showRequest: TemplateResult;
}

/** The context of a reply's request: a summary, the items with their include mode, and every block that was sent. */
export function contextUsed({ chatId, context, rows, isOpen, onToggle, showRequest }: ContextUsedOptions): TemplateResult {
  if (context === null) {
    return html`<div class="context-used none">The request of this reply was not recorded.</div>`;
  }
  const shown = isOpen ? rows : null;
  return html`<div class="context-used ${shown === null ? '' : 'open'}">
    <div class="context-used-line">
      ${disclosure('Context used', isOpen, onToggle)}
      <span class="context-used-brief">${isOpen ? loading(rows === null) : context.summary}</span>
      ${showRequest}
    </div>
    ${shown === null ? nothing : details(context, shown, chatId)}
  </div>`;
}

function details(context: ContextUsed, rows: ContextRows, chatId: string): TemplateResult {
  return html`<section role="region" aria-label="Context used" class="context-used-details">
    <p class="context-summary">${context.summary}</p>
    ${adaptations(rows.adaptations)}
    ${GROUPS.map(({ type, title, icon: iconName }) => {
      const items = rows.groups.filter((group) => group.type === type).flatMap((group) => group.items);
      return items.length > 0 || type === 'file' ? contextGroup({ title, iconName, items, chatId }) : nothing;
    })}
    <p class="group-title">Everything sent</p>
    ${blockRows({ ...context, ...rows }, chatId)}
  </section>`;
}

interface GroupRows {
  readonly title: string;
  readonly iconName: string;
  readonly items: readonly ContextItemView[];
  readonly chatId: string;
}

function contextGroup({ title, iconName, items, chatId }: GroupRows): TemplateResult {
  const name = `${title} (${items.filter((item) => item.leftOut === null).length})`;
  return html`<div role="group" aria-label=${name} class="context-group">
    <p class="group-title">${name}</p>
    ${
      items.length === 0
        ? html`<p class="none">None</p>`
        : html`<ul>
          ${items.map((item) => contextItem(item, iconName, chatId))}
        </ul>`
    }
  </div>`;
}

/** Renders the include mode twice: in the item's name for assistive technology, and as a pill for sighted users. */
function contextItem(item: ContextItemView, iconName: string, chatId: string): TemplateResult {
  const score = item.score === null ? '' : item.score.toFixed(2);
  const mode = MODES[item.includeMode];
  const modeWords = item.includeMode === 'agent' && score !== '' ? `${mode} - ${score}` : mode;
  const isOut = item.leftOut !== null;
  return html`<li class=${isOut ? 'left-out' : ''}>
    ${icon(iconName)}${
      item.file === null
        ? html`<span class="sr-only">${revealHidden(item.name)} [${modeWords}]</span>
            <span class="item-name" aria-hidden="true" title=${revealHidden(item.name)}>${visibleText(item.name)}</span>`
        : fileLink({ chatId, key: item.file, path: item.name, note: ` [${modeWords}]` })
    }
    ${isOut ? html`<span class="sr-only">left out: ${item.leftOut}</span>` : nothing}
    ${
      isOut
        ? html`<span class="pill out" aria-hidden="true">${item.leftOut}</span>`
        : html`<span class="pill ${item.includeMode}" aria-hidden="true">${mode} ${score}</span>`
    }
    <span class="figures item-tokens">${item.tokens === null ? '' : tokens(item.tokens)}</span>
  </li>`;
}
