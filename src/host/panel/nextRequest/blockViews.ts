import { contextKey, isPick } from '../../../engine/request/gather.js';
import { itemKey, type RequestContextItem } from '../../../engine/record/item.js';
import type { ContextRecord, ManifestBlock } from '../../../engine/record/manifest.js';
import type { OnDemandTools } from '../../../engine/request/onDemandTools.js';
import { offeredName } from '../../../engine/tools/serverName.js';
import type { CacheParts } from '../../../protocol/forecast.js';
import type { BlockView } from '../../../protocol/panel/requestRows.js';

type Row = { -readonly [K in keyof BlockView]: BlockView[K] };
type MeasuredBlock = Pick<ManifestBlock, 'key' | 'item' | 'form' | 'category' | 'tokens'>;

/**
 * Returns the rows of a request: one per file, tool and instruction file, one for the system prompt, one for the
 * conversation. Tokens are Loupe's own counts, so the number of an unchanged file stays the same.
 * - `records`: the context of the request
 * - `loaded`: the tools that the model has loaded
 * - `cache`: the expected tokens of cache read, cache write and uncached per block, in block order
 */
export function blockViews(
  blocks: readonly MeasuredBlock[],
  records: readonly ContextRecord[],
  loaded: OnDemandTools['loaded'],
  cache: readonly CacheParts[] | null,
): BlockView[] {
  const held = new Map(records.flatMap(({ item, leftOut }) => (leftOut === null ? [[itemKey(item), item] as const] : [])));
  const rows = new Map<string, Row>();
  const rowOf = (block: MeasuredBlock, item: string | null, label: string): Row => {
    // A rule and a file may have the same name.
    const rowKey = `${block.category} ${label}`;
    const context = held.get(item ?? '');
    const origin = originOf(block.form === 'carried' ? undefined : context);
    const empty = { label, count: 0, tokens: 0, cache: null };
    const row = rows.get(rowKey) ?? { ...empty, ...kindOf(block, item, origin), ...origin, ...loadOf(context, loaded) };
    rows.set(rowKey, row);
    return row;
  };
  const counted = new Set<string>();
  let row: Row | undefined;
  for (const [at, block] of blocks.entries()) {
    const item = block.item === null ? null : contextKey(block.item);
    const label = labelOf(block, item);
    // One row may have thousands of blocks: the row is looked up once, and changed in place.
    row = row?.label === label && row.category === block.category ? row : rowOf(block, item, label);
    const source = item ?? messageOf(block.key) ?? block.key;
    row.count += counted.has(source) ? 0 : 1;
    row.tokens += block.tokens;
    row.cache = sumOfParts(row.cache, cache?.[at] ?? null);
    counted.add(source);
  }
  return [...rows.values()];
}

function sumOfParts(a: CacheParts | null, b: CacheParts | null): CacheParts | null {
  return a === null || b === null ? (a ?? b) : { read: a.read + b.read, written: a.written + b.written, fresh: a.fresh + b.fresh };
}

/** Marks blocks of removed or excluded content, and of items picked for earlier messages, that are still sent. */
function kindOf(
  { category, form }: MeasuredBlock,
  item: string | null,
  { includeMode }: Pick<BlockView, 'includeMode'>,
): Pick<BlockView, 'file' | 'category' | 'isEarlier'> {
  const file = fileKey(item);
  return { file, category, isEarlier: form === 'carried' || (file !== null && includeMode === null) };
}

/** Returns why an item is in the request: its include mode and score, and for a tool its server. */
function originOf(item: RequestContextItem | undefined): Pick<BlockView, 'includeMode' | 'score' | 'server'> {
  return {
    includeMode: item?.includeMode ?? null,
    score: item?.similarityScore ?? null,
    server: item?.type === 'tool' ? item.serverName : null,
  };
}

function loadOf(item: RequestContextItem | undefined, loaded: OnDemandTools['loaded']): Pick<BlockView, 'loadedTokens'> {
  const loadedTokens = item?.type === 'tool' ? loaded.get(offeredName(item)) : undefined;
  return loadedTokens === undefined ? {} : { loadedTokens };
}

/** Returns the label of a row. For a block that is still sent without need, the label gives the reason. */
function labelOf({ key, item: own, form, category }: MeasuredBlock, item: string | null): string {
  if (form !== 'carried') {
    return rowLabel(item ?? key);
  }
  if (category === 'conversation') {
    return 'Excluded, still sent';
  }
  return rowLabel(item ?? key) + (own !== null && isPick(own) ? ' (picked for an earlier message)' : ' (removed, but still sent)');
}

/** Returns the item's key if the user can open the item, or null. */
function fileKey(item: string | null): string | null {
  return item !== null && /^(?:file|rule|reference|resource|skill|tool):/.test(item) ? item : null;
}

function rowLabel(key: string): string {
  const kind = key.slice(0, key.indexOf(':'));
  const name = key.slice(kind.length + 1);
  switch (kind) {
    case 'system':
      return 'System prompt';
    case 'fragment':
      return `Instructions from ${name}`;
    case 'file':
    case 'rule':
    case 'reference':
    case 'resource':
    case 'skill':
    case 'tool':
      return name;
    case 'findTools':
      return name === '1' ? '1 name, definition when needed' : `${name} names, definitions when needed`;
    case 'retiredTool':
      return `${name} (no longer available)`;
    case 'files':
    case 'header':
      return 'Text before and after files';
    default:
      return 'Conversation';
  }
}

function messageOf(key: string): string | null {
  return key.startsWith('message:') ? key.slice(0, key.lastIndexOf('/')) : null;
}
