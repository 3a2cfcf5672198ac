import { contextKey, isPick } from '../../../engine/request/gather.js';
import { itemKey, type RequestContextItem } from '../../../engine/record/item.js';
import type { ContextRecord, ManifestBlock } from '../../../engine/record/manifest.js';
import type { OnDemandTools } from '../../../engine/request/onDemandTools.js';
import { sameStart } from '../../../engine/same.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import { offeredName } from '../../../engine/tools/serverName.js';
import { partsOf, type CacheParts } from '../../../engine/model/inputParts.js';
import type { Forecast } from '../../../engine/cache/forecast.js';
import type { BlockView } from '../../../protocol/panel/requestRows.js';

const CONVERSATION = 'Conversation';

type Row = { -readonly [K in keyof BlockView]: BlockView[K] };
type MeasuredBlock = Pick<ManifestBlock, 'key' | 'item' | 'form' | 'category' | 'tokens'>;

/**
 * Returns the rows of a request: one per file, tool and instruction file, one for the system prompt, one for the
 * conversation. Tokens are Loupe's own counts, so the number of an unchanged file stays the same.
 * - `records`: the context of the request
 * - `loaded`: the tools that the model has loaded
 * - `forecast`: the expected cache use
 */
export function blockViews(
  blocks: readonly MeasuredBlock[],
  records: readonly ContextRecord[],
  loaded: OnDemandTools['loaded'],
  forecast: Pick<Forecast, 'sizes' | 'parts'> | null,
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
  const runs = runsOf(blocks);
  const sizes = runs.map(({ from, to }) => (forecast?.sizes.slice(from, to) ?? []).reduce((sum, size) => sum + size, 0));
  const parts = forecast === null ? [] : partsOf(sizes, forecast.parts);
  for (const [at, { block, item, label, first, last, sources, tokens }] of runs.entries()) {
    const row = rowOf(block, item, label);
    row.count += sources - (counted.has(first) ? 1 : 0);
    row.tokens += tokens;
    row.cache = sumOfParts(row.cache, parts[at] ?? null);
    counted.add(first).add(last);
  }
  return [...rows.values()];
}

function sumOfParts(a: CacheParts | null, b: CacheParts | null): CacheParts | null {
  return a === null || b === null ? (a ?? b) : { read: a.read + b.read, written: a.written + b.written, fresh: a.fresh + b.fresh };
}

/** One block, or adjacent blocks of the conversation. */
interface Run {
  /** The first block. */
  readonly block: MeasuredBlock;
  readonly item: string | null;
  readonly label: string;
  /** What a row counts once: item, message or key of the first and the last block. The next run can have the same. */
  readonly first: string;
  readonly last: string;
  /** Number of different items, messages or keys in the run. */
  readonly sources: number;
  readonly tokens: number;
  /** The run has the blocks from `from` to before `to`. */
  readonly from: number;
  readonly to: number;
}

/** Maximum number of blocks in a run. At a key press, only the last run is computed again. */
const LONGEST_RUN = 100;

/** The runs of the last request that began with this block. */
const RUNS = new WeakMap<MeasuredBlock, { readonly blocks: readonly MeasuredBlock[]; readonly runs: readonly Run[] }>();

/** Divides blocks into runs. Of thousands of blocks, reads only those after the start that the last request had too. */
function runsOf(blocks: readonly MeasuredBlock[]): readonly Run[] {
  const [first] = blocks;
  if (first === undefined) {
    return [];
  }
  const known = RUNS.get(first) ?? { blocks: [], runs: [] };
  const same = sameStart(known.blocks, blocks);
  const runs = known.runs.filter(({ to }) => to <= same);
  for (let from = runs.at(-1)?.to ?? 0; from < blocks.length; from = runs.at(-1)?.to ?? 0) {
    runs.push(runAt(from, blocks));
  }
  RUNS.set(first, { blocks, runs });
  return runs;
}

function runAt(from: number, blocks: readonly MeasuredBlock[]): Run {
  const rest = blocks.slice(from, from + LONGEST_RUN);
  const [block] = rest;
  if (block === undefined) {
    throw new RangeError(`The request has no block ${String(from)}.`);
  }
  if (!isSaid(block)) {
    const item = block.item === null ? null : contextKey(block.item);
    const source = item ?? messageOf(block.key);
    return { block, item, label: labelOf(block, item), first: source, last: source, sources: 1, tokens: block.tokens, from, to: from + 1 };
  }
  const end = rest.findIndex((each) => !isSaid(each) || each.category !== block.category);
  const said = end === -1 ? rest : rest.slice(0, end);
  const keys = said.map(({ key }) => messageOf(key));
  const ends = { first: keys[0] ?? '', last: keys.at(-1) ?? '', sources: new Set(keys).size };
  return { block, item: null, label: CONVERSATION, ...ends, tokens: sumTokens(said), from, to: from + said.length };
}

function isSaid({ item, form, key }: MeasuredBlock): boolean {
  return item === null && form !== 'carried' && key.startsWith('message:');
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
    return 'Excluded content, still sent';
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
      return name === '1' ? '1 tool name, definition on demand' : `${name} tool names, definitions on demand`;
    case 'retiredTool':
      return `${name} (no longer available)`;
    case 'files':
    case 'header':
      return 'Text before and after files';
    default:
      return CONVERSATION;
  }
}

/** Returns the key of a message for the key of its block. Other keys stay as they are. */
function messageOf(key: string): string {
  return key.startsWith('message:') ? key.slice(0, key.lastIndexOf('/')) : key;
}
