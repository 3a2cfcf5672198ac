import { type TemplateResult, html, nothing } from 'lit';
import { CORRECTION, CORRECTION_REASON } from '../../../src/protocol/correction.js';
import { heldMode, type BlockView, type Category, type NextRequestRows, type ItemChange } from '../../../src/protocol/panel/requestRows.js';
import { disclosure } from '../../shared/controls/buttons.js';
import { tokens } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { type RowsScope, differenceIn } from '../rows/blockRows.js';
import { CATEGORY_NAMES } from '../rows/categories.js';
import { fileLink } from '../rows/fileLink.js';
import { PICKED_WHILE_WRITING, includeModePill, includeModeWords } from '../rows/includeMode.js';
import { changesInHead, itemChange } from '../rows/itemChange.js';
import { itemSwitch } from '../rows/itemSwitch.js';
import { figures, groupFigures, sizeOf } from '../rows/rowFigures.js';
import { serverRows } from './requestServers.js';

/** A kind of content. `earlier`: content that requests contain only because an earlier request contained it. */
type GroupKind = Category | 'earlier';

const KINDS: readonly GroupKind[] = [
  'system',
  'rules',
  'references',
  'skills',
  'tools',
  'files',
  'repository',
  'earlier',
  'conversation',
  'editor',
];

const TITLES: Readonly<Record<GroupKind, string>> = { ...CATEGORY_NAMES, earlier: 'Earlier context' };

/** Kinds of catalog items. Their groups show how many catalog items the request contains: `3 of 9`. */
const CATALOG = { rules: 'rule', references: 'reference', skills: 'skill', tools: 'tool' } as const;

/** Kinds of groups that are visible even when empty. */
const ITEMS: ReadonlySet<GroupKind> = new Set(['rules', 'references', 'skills', 'tools', 'files']);

export interface GroupedRequest extends Pick<NextRequestRows, 'blocks' | 'available' | 'servers' | 'changes'> {
  readonly framingTokens: number;
  readonly totalTokens: number;
}

interface Group {
  readonly kind: GroupKind;
  readonly blocks: readonly BlockView[];
  /** The number of items, such as `3 of 9`. Empty for the system prompt. */
  readonly count: string;
}

/** The parts of the next request by kind, in closed groups. All groups add up to the size of the request. */
export function requestGroups(request: GroupedRequest, scope: RowsScope): TemplateResult {
  const groups = KINDS.map((kind) => groupOf(kind, request));
  const none = groups.filter(({ kind, blocks }) => blocks.length === 0 && ITEMS.has(kind));
  const difference = differenceIn(request, request.totalTokens);
  return html`<div class="request-groups">
    ${groups.map((group) => (group.blocks.length === 0 ? nothing : groupPart(group, request, scope)))}
    ${none.length === 0 ? nothing : html`<div class="empty-groups">${none.map(emptyGroup)}</div>`}
    ${request.framingTokens === 0 ? nothing : rest({ label: CATEGORY_NAMES.framing, reason: null, size: request.framingTokens }, scope)}
    ${difference === 0 ? nothing : rest({ label: CORRECTION, reason: CORRECTION_REASON, size: difference }, scope)}
  </div>`;
}

function groupOf(kind: GroupKind, { blocks, available, changes }: GroupedRequest): Group {
  const own = blocks.filter((block) => kindOf(block) === kind);
  return { kind, blocks: own, count: `${countOf(kind, own, available)}${kind === 'earlier' ? '' : changesInHead(own, changes)}` };
}

/** Returns the group of a part. Items picked for earlier messages, and removed content, are in the group `earlier`. */
function kindOf({ isEarlier, category }: BlockView): GroupKind {
  return isEarlier ? 'earlier' : category;
}

function countOf(kind: GroupKind, blocks: readonly BlockView[], available: GroupedRequest['available']): string {
  if (kind === 'rules' || kind === 'references' || kind === 'skills' || kind === 'tools') {
    const all = available[CATALOG[kind]];
    // Counts only tools, because the list of names of tools on demand is also a part of the request.
    const held = kind === 'tools' ? blocks.filter(({ file }) => file !== null).length : blocks.length;
    return all === 0 ? '0' : `${tokens(held)} of ${tokens(all)}`;
  }
  if (kind === 'conversation') {
    return tokens(blocks.reduce((sum, { count }) => sum + count, 0));
  }
  // Counts only files, because the texts around files are also parts of the request.
  return kind === 'system' ? '' : tokens(kind === 'files' ? blocks.filter(({ file }) => file !== null).length : blocks.length);
}

/** The title of an empty group. All empty groups share one line. */
function emptyGroup({ kind, count }: Group): TemplateResult {
  return html`<div role="group" aria-label="${TITLES[kind]} (${count})" class="empty-group">${heading(kind, count)}</div>`;
}

function heading(kind: GroupKind, count: string): TemplateResult {
  return html`${TITLES[kind]} ${count === '' ? nothing : html`<span class="figures">${count}</span>`}`;
}

function groupPart({ kind, blocks, count }: Group, { servers, changes }: GroupedRequest, scope: RowsScope): TemplateResult {
  const isOpen = scope.isOpen(kind);
  const head = html`<span class="swatch ${kind}" aria-hidden="true"></span>${heading(kind, count)}`;
  return html`<div role="group" aria-label=${count === '' ? TITLES[kind] : `${TITLES[kind]} (${count})`}>
    <div class="request-head">
      ${disclosure(head, isOpen, () => {
        scope.toggle(kind);
      })}
      ${groupFigures(sizeOf(blocks), scope)}
    </div>
    ${isOpen ? (kind === 'tools' ? serverRows(blocks, servers, scope) : rows({ kind, blocks, changes }, scope)) : nothing}
  </div>`;
}

function rows(
  { kind, blocks, changes }: Pick<Group, 'kind' | 'blocks'> & Pick<GroupedRequest, 'changes'>,
  scope: RowsScope,
): TemplateResult {
  return html`${kind === 'earlier' ? html`<p class="earlier-note">Earlier requests sent this content, and the prompt still contains it. Loupe removes it when it rebuilds the prompt.</p>` : nothing}
    <ul>
      ${blocks.map((block) => row(kind, block, { change: kind === 'earlier' ? undefined : changes[block.file ?? ''], scope }))}
    </ul>`;
}

interface RowScope {
  readonly change: ItemChange | undefined;
  readonly scope: RowsScope;
}

function row(kind: GroupKind, block: BlockView, { change, scope }: RowScope): TemplateResult {
  const { file, label, includeMode, score } = block;
  const isItem = file !== null && includeMode !== null;
  const note = isItem && kind !== 'files' && kind !== 'repository' ? ` [${includeModeWords(heldMode(includeMode, score), score)}]` : '';
  const state = includeMode === 'agent' ? 'picked' : 'in';
  return html`<li class="request-row ${kind}">
    <span class="row-mark">${isItem ? itemSwitch({ chatId: scope.chatId, key: file, name: label, state }) : nothing}</span>
    ${
      file === null || kind === 'repository'
        ? plainName(kind, block)
        : fileLink({ chatId: scope.chatId, key: file, path: label, hasFolders: true, note, isTabStop: true })
    }
    ${itemChange(change)}
    ${note === '' || includeMode === null ? nothing : includeModePill(heldMode(includeMode, score), score, score === null ? null : PICKED_WHILE_WRITING)}
    ${figures(block, scope)}
  </li>`;
}

/** The name of a row that opens nothing. A long path of a folder is cut off, so the tooltip has the whole path. */
function plainName(kind: GroupKind, { label, count }: BlockView): TemplateResult {
  const more = count > 1 ? html`<span class="figures"> × ${tokens(count)}</span>` : nothing;
  return html`<span class="row-label" title=${kind === 'repository' ? label : nothing}>${visibleText(label)}${more}</span>`;
}

interface RestRow {
  readonly label: string;
  /** The tooltip. */
  readonly reason: string | null;
  readonly size: number;
}

/** A row for a part outside the groups. */
function rest({ label, reason, size }: RestRow, scope: RowsScope): TemplateResult {
  return html`<div class="request-head rest" title=${reason ?? nothing}>
    <span class="row-label">${label}</span>${groupFigures({ tokens: size, cache: null }, scope)}
  </div>`;
}
