import { html, nothing, type TemplateResult } from 'lit';
import type {
  ContextGroup,
  ContextItemView,
  BlockView,
  Category,
  ContextRows,
  PicksView,
  ReplyWindowView,
  ItemUse,
  ReplyUses,
} from '../../../src/protocol/panel/requestRows.js';
import type { ContextUsed } from '../../../src/protocol/panel/entries.js';
import { disclosure } from '../../shared/controls/buttons.js';
import { icon } from '../../shared/controls/icon.js';
import { tokens, basisMark } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { adaptations, warnings } from '../rows/adaptations.js';
import { blockRows, differenceIn, FEW_ROWS, rowsHead, type RowsScope, times } from '../rows/blockRows.js';
import { forgottenGroup } from './excludedTurns.js';
import { contextItem, notSelectedGroup } from '../rows/contextItem.js';
import { MODES_IN_WORDS } from '../rows/includeMode.js';
import { briefUse, useSummary } from '../rows/itemUse.js';
import { loading } from '../../shared/controls/skeleton.js';

type GroupType = ContextGroup['type'];

/** The rows show no prices for including content. Only the next request shows such prices. */
const NO_PRICES = {};

const GROUPS: readonly { readonly type: GroupType; readonly title: string }[] = [
  { type: 'rule', title: 'Rules' },
  { type: 'reference', title: 'References' },
  { type: 'skill', title: 'Skills' },
  { type: 'tool', title: 'Tools' },
  { type: 'file', title: 'Files' },
  { type: 'page', title: 'Web pages' },
  { type: 'repository', title: 'Repository map' },
];
const CATEGORIES: Readonly<Record<GroupType, Category>> = {
  rule: 'rules',
  reference: 'references',
  skill: 'skills',
  tool: 'tools',
  file: 'files',
  page: 'files',
  repository: 'repository',
};

export interface ContextUsedOptions {
  readonly context: ContextUsed | null;
  /** The rows of the items. Null until the host sends the rows. */
  readonly rows: ContextRows | null;
  /** Which items the turn used. Null if the reply did not end a turn. */
  readonly uses: ReplyUses | null;
  readonly isOpen: boolean;
  readonly scope: RowsScope;
}

/** The context of a reply's request while it is open: the items with their include modes, and other content. */
export function contextUsed({ context, rows, uses, isOpen, scope }: ContextUsedOptions): TemplateResult | typeof nothing {
  if (!isOpen) {
    return nothing;
  }
  if (context === null) {
    return html`<div class="context-used none">No context data: Loupe has no record of the request for this reply.</div>`;
  }
  return html`<div class="context-used">${rows === null ? loading(true) : details(context, { rows, uses }, scope)}</div>`;
}

/** Returns what the request contained, and how much of it the turn used. */
export function contextInBrief({ summary }: ContextUsed, uses: ReplyUses | null): string {
  return uses === null ? summary : `${summary} · ${briefUse(uses)}`;
}

interface ShownRows {
  readonly rows: ContextRows;
  readonly uses: ReplyUses | null;
}

function details(context: ContextUsed, { rows, uses }: ShownRows, scope: RowsScope): TemplateResult {
  const groups = GROUPS.map((group) => ({
    ...group,
    items: rows.groups.filter(({ type }) => type === group.type).flatMap(({ items }) => items),
  }));
  const others = rows.blocks.filter((block) => !isItem(block, rows.groups));
  // The next request counts the text around files as a part of the files, too.
  const framed = new Set<unknown>(groups.flatMap(({ type, items }) => (items.length > 0 ? [type] : [])));
  const rest = others.filter(({ around }) => !framed.has(around));
  return html`<section role="region" aria-label="Context used" class="context-used-details">
    ${uses === null ? nothing : useSummary(uses, rows.groups)}
    <p class="context-summary" title=${MODES_IN_WORDS}>${context.summary}</p>
    ${replyWindow(rows.window)} ${rows.uncached === null ? nothing : html`<p class="uncached">${visibleText(rows.uncached)}</p>`}
    ${warnings(rows.warnings)} ${adaptations(rows.adaptations)} ${picksMade(rows.picks)}
    ${groups.map((group) => (group.items.length === 0 ? nothing : contextGroup({ ...group, frame: others.filter(({ around }) => around === group.type), uses: uses?.uses ?? {}, scope })))}
    <div class="empty-groups">${groups.map(({ title, items }) => (items.length === 0 ? emptyGroup(title) : nothing))}</div>
    ${forgottenGroup(rows.forgotten, scope, NO_PRICES)} ${notSelectedGroup(rows.notSelected, scope)}
    <p class="group-title">Also sent</p>
    ${blockRows({ ...context, ...rows, blocks: rest, difference: differenceIn(rows, context.totalTokens) }, scope)}
  </section>`;
}

function picksMade(picks: PicksView | null): TemplateResult | typeof nothing {
  return picks === null
    ? nothing
    : html`<p class="rewritten">${icon(picks.hasFailed ? 'warning' : 'info')}<span>${visibleText(picks.text)}</span></p>`;
}

function isItem({ file, label, category }: BlockView, groups: readonly ContextGroup[]): boolean {
  const isOne = (item: ContextItemView): boolean => (file === null ? item.name === label : item.file === file);
  return groups.some(({ type, items }) => CATEGORIES[type] === category && items.some(isOne));
}

interface GroupRows {
  readonly type: GroupType;
  readonly title: string;
  readonly items: readonly ContextItemView[];
  /** The text around the items. */
  readonly frame: readonly BlockView[];
  readonly uses: ReplyUses['uses'];
  readonly scope: RowsScope;
}

/** The title of an empty group. All empty groups share one line. */
function emptyGroup(title: string): TemplateResult {
  return html`<div role="group" aria-label="${title} (0)" class="empty-group">${rowsHead(title, 0)}</div>`;
}

/** A group of items. Open by default when it has few rows. */
function contextGroup({ type, title, items, frame, uses, scope }: GroupRows): TemplateResult {
  const usesOf = ({ file }: ContextItemView): readonly ItemUse[] => uses[file ?? ''] ?? [];
  const used = items.filter((item) => usesOf(item).length > 0).length;
  const held = items.filter((item) => item.notSelectedReason === null);
  const isOpen = items.length <= FEW_ROWS ? !scope.isOpen(type) : scope.isOpen(type);
  const toggle = (): void => {
    scope.toggle(type);
  };
  const size = [...held, ...frame].reduce((sum, part) => sum + (part.tokens ?? 0), 0);
  return html`<div role="group" aria-label="${title} (${held.length})" class="context-group">
    <div class="group-head">
      ${disclosure(rowsHead(title, held.length), isOpen, toggle)}
      <span class="figures">${isOpen || used === 0 ? nothing : `${tokens(used)} used · `}${tokens(size)}</span>
    </div>
    ${
      isOpen
        ? html`<ul>
          ${items.map((item) => contextItem(item, { type, chatId: scope.chatId, before: nothing, uses: usesOf(item) }))}
          ${frame.map(frameRow)}
        </ul>`
        : nothing
    }
  </div>`;
}

function frameRow({ label, count, tokens: size }: BlockView): TemplateResult {
  return html`<li class="frame">
    <span class="item-name">${visibleText(label)}${times(count)}</span>
    <span class="figures item-tokens">${tokens(size)}</span>
  </li>`;
}

/** The size of the context window after a reply, and its parts. The next request starts with this content. */
export function replyWindow(window: ReplyWindowView): TemplateResult {
  return html`<div role="group" aria-label="Context window after this reply" class="reply-window">
    <span>Context window after this reply</span>
    <span class="figures">${size(window)}</span>
    ${window.kind === 'known' ? html`<span class="figures reply-window-parts">${parts(window)}</span>` : nothing}
  </div>`;
}

function size(window: ReplyWindowView): string {
  switch (window.kind) {
    case 'known': {
      const { tokens: taken, limit, isEstimate } = window;
      return `${basisMark(isEstimate ? 'estimate' : 'exact')}${tokens(taken)}${limit === null ? '' : ` of ${tokens(limit)}`} tokens`;
    }
    case 'unchanged':
      return 'unchanged: later requests do not contain this reply';
    case 'unknown':
      return 'unknown';
  }
}

type KnownWindow = Extract<ReplyWindowView, { readonly kind: 'known' }>;

/** Returns all parts, including parts with 0 tokens, so that the user can check the sum. */
function parts({ uncachedTokens, cachedTokens, writtenTokens, outputTokens }: KnownWindow): string {
  const cache = cachedTokens === null || writtenTokens === null ? [] : [part(cachedTokens, 'read'), part(writtenTokens, 'written')];
  const input = cache.length === 0 ? part(uncachedTokens, 'in') : part(uncachedTokens, 'uncached');
  return [input, ...cache, part(outputTokens, 'out')].join(' + ');
}

/** Returns one part of a sum. Line breaks are possible only between parts. */
function part(count: number, name: string): string {
  return `${tokens(count)}\u00a0${name}`;
}
