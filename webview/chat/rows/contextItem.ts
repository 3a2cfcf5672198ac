import { type TemplateResult, html, nothing } from 'lit';
import {
  heldMode,
  type ContextGroup,
  type ContextItemView,
  type NotSelectedItems,
  type NotSelectedView,
  type ItemUse,
} from '../../../src/protocol/panel/requestRows.js';
import { fileIcon, icon } from '../../shared/controls/icon.js';
import { revealHidden } from '../../shared/hidden.js';
import { tokens } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { closedGroup, moreRows, type RowsScope } from './blockRows.js';
import { fileLink } from './fileLink.js';
import { itemSwitch } from './itemSwitch.js';
import { includeModePill, includeModeWords } from './includeMode.js';
import { itemUse } from './itemUse.js';

const ICONS = { rule: 'law', reference: 'book', skill: 'mortar-board', tool: 'tools', page: 'globe', repository: 'repo' } as const;

interface ItemRow {
  readonly type: ContextGroup['type'];
  readonly chatId: string;
  /** What the row begins with. */
  readonly before: TemplateResult | typeof nothing;
  readonly uses: readonly ItemUse[];
}

/** The row of an item. Screen readers read the include mode and the uses after the name. */
export function contextItem(item: ContextItemView, { type, chatId, before, uses }: ItemRow): TemplateResult {
  const isOut = item.notSelectedReason !== null;
  const mode = isOut ? item.includeMode : heldMode(item.includeMode, item.score);
  const modeWords = includeModeWords(mode, item.score);
  return html`<li class="${type} ${isOut ? 'left-out' : ''}">
    ${before}${icon(type === 'file' ? fileIcon(item.name) : ICONS[type])}${
      item.file === null
        ? html`<span class="sr-only">${revealHidden(item.name)} [${modeWords}]</span>
            <span class="item-name" aria-hidden="true" title=${revealHidden(item.name)}>${visibleText(item.name)}</span>`
        : fileLink({ chatId, key: item.file, path: item.name, hasFolders: true, note: ` [${modeWords}]`, isTabStop: true })
    }
    ${itemUse(uses)}
    ${isOut ? html`<span class="sr-only">not selected: ${item.notSelectedReason}</span>` : nothing}
    ${isOut ? html`<span class="left-out-why" aria-hidden="true" title=${item.notSelectedReason}>${item.notSelectedReason}</span>` : includeModePill(mode, item.score, null)}
    ${item.tokens === null ? nothing : html`<span class="figures item-tokens">${itemTokens(item.tokens, item.ofTokens)}</span>`}
  </li>`;
}

/** Returns the tokens of an item. For a file that was cut to fit, adds the tokens of the whole file. */
function itemTokens(held: number, ofTokens: number | null): string {
  return ofTokens === null ? tokens(held) : `${tokens(held)} of ${tokens(ofTokens)}`;
}

/** The group of catalog items that were not selected. Closed by default. */
export function notSelectedGroup(items: NotSelectedItems, scope: RowsScope): TemplateResult | typeof nothing {
  const rows = (): TemplateResult => notSelectedRows(items, scope);
  return closedGroup({ name: 'Not selected', key: 'leftOut', count: items.total, figures: nothing, rows }, scope);
}

/** The rows of items that were not selected, each with its reason. */
export function notSelectedRows({ total, first }: NotSelectedItems, scope: RowsScope): TemplateResult {
  return html`<ul>
      ${first.map((item) => contextItem(item, { type: item.type, chatId: scope.chatId, before: switchOf(item, scope), uses: [] }))}
    </ul>
    ${moreRows(total - first.length, 'more item')}`;
}

/** The switch that adds an item to the chat. An item that is off or cannot be read has no switch. */
function switchOf({ file, name, canBeAdded }: NotSelectedView, { chatId, hasSwitches }: RowsScope): TemplateResult | typeof nothing {
  if (!hasSwitches || file === null) {
    return nothing;
  }
  return canBeAdded ? itemSwitch({ chatId, key: file, name, state: 'out' }) : html`<span class="no-switch"></span>`;
}
