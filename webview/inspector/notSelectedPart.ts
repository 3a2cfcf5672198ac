import { type TemplateResult, html, nothing } from 'lit';
import type { NotSelectedItems, NotSelectedView } from '../../src/protocol/panel/requestRows.js';
import type { InspectedRequest } from '../../src/protocol/inspector/inspector.js';
import { disclosure, linkButton } from '../shared/controls/buttons.js';
import { fileIcon, icon } from '../shared/controls/icon.js';
import { counted, tokens } from '../shared/numbers.js';
import { revealHidden } from '../shared/hidden.js';
import { visibleText } from '../shared/visibleText.js';

const FEW = 3;

const ICONS = { rule: 'law', reference: 'book', skill: 'mortar-board', tool: 'tools', page: 'globe', repository: 'repo' } as const;

export interface NotSelectedScope {
  readonly isOpen: (group: string) => boolean;
  readonly toggle: (group: string) => void;
  readonly select: (block: number) => void;
}

/** Items that were not selected, and items that the request contains only because an earlier request contained them. */
export function notSelectedPart(request: InspectedRequest, scope: NotSelectedScope): TemplateResult | typeof nothing {
  const { notSelected, earlier } = request;
  return notSelected.total + earlier.length === 0
    ? nothing
    : html`<div class="left-out-groups">
        ${group('Not selected', notSelected.total, () => notSelectedRows(notSelected, scope), scope)}
        ${group('Earlier context', earlier.length, () => earlierRows(request, scope), scope)}
      </div>`;
}

/** A group of rows. Open by default. Nothing without rows. */
function group(name: string, count: number, rows: () => TemplateResult, scope: NotSelectedScope): TemplateResult | typeof nothing {
  if (count === 0) {
    return nothing;
  }
  const isOpen = !scope.isOpen(`closed ${name}`);
  return html`<div role="group" aria-label="${name} (${count})">
    ${disclosure(html`${name} <span class="figures">${tokens(count)}</span>`, isOpen, () => {
      scope.toggle(`closed ${name}`);
    })}
    ${isOpen ? rows() : nothing}
  </div>`;
}

function notSelectedRows({ total, first }: NotSelectedItems, scope: NotSelectedScope): TemplateResult {
  const isWhole = scope.isOpen('leftOut');
  const shown = isWhole ? first : first.slice(0, FEW);
  const more = total - shown.length;
  const rest = isWhole
    ? html`<p class="hint">${counted(more, 'more item')}</p>`
    : linkButton(`Show ${tokens(first.length - shown.length)} more`, () => {
        scope.toggle('leftOut');
      });
  return html`<ul>
      ${shown.map(notSelectedRow)}
    </ul>
    ${more === 0 ? nothing : rest}`;
}

function notSelectedRow({ type, name, notSelectedReason }: NotSelectedView): TemplateResult {
  return html`<li class="left-out">
    ${icon(type === 'file' ? fileIcon(name) : ICONS[type])}<span class="item-name" title=${revealHidden(name)}>${visibleText(name)}</span>
    <span class="left-out-why" title=${notSelectedReason ?? nothing}>${visibleText(notSelectedReason ?? '')}</span>
  </li>`;
}

function earlierRows({ earlier, blocks }: InspectedRequest, { select }: NotSelectedScope): TemplateResult {
  return html`<ul>
    ${earlier.map(
      (at) => html`<li>
        ${linkButton(html`${visibleText(blocks[at]?.name ?? '')}`, () => {
          select(at);
        })}
        <span class="left-out-why">${blocks[at]?.why ?? ''}</span>
      </li>`,
    )}
  </ul>`;
}
