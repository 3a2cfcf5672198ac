import { capitalized } from '../capitalized.js';
import { contextKey, isPick } from '../request/gather.js';
import { itemKey, type RequestContextItem } from '../record/item.js';
import type { ContextRecord, ManifestBlock } from '../record/manifest.js';
import type { OnDemandTools } from '../request/onDemandTools.js';
import { repositoryPart } from '../repository/repositoryTexts.js';
import { sameStart } from '../same.js';
import { sumTokens } from '../sumTokens.js';
import { offeredName } from '../tools/serverName.js';
import { partsOf, type CacheParts } from '../model/inputParts.js';
import type { Forecast } from '../cache/forecast.js';
import type { Category } from '../model/block.js';

/** A row of a request: one block, or several blocks of one source. */
export interface BlockView {
  readonly label: string;
  /** Key of the item in the row, such as `file:src/a.ts`, `rule:AGENTS.md` or `tool:git/log`. Null for other rows. */
  readonly file: string | null;
  /** Name of a tool's MCP server. Null for all other rows. */
  readonly server: string | null;
  readonly category: Category;
  /** The type of the items around which Loupe puts the row's text. Null for other rows. */
  readonly around: FramedType | null;
  readonly count: number;
  readonly tokens: number;
  /** The row's tokens by expected cache use. Null when unknown, and in a request that was already sent. */
  readonly cache: CacheParts | null;
  /** Tokens that an on-demand tool's definition adds at the place where a tool result loaded it. Missing otherwise. */
  readonly loadedTokens?: number;
  /** How the row's item was included. Null for a row without an item. */
  readonly includeMode: RequestContextItem['includeMode'] | null;
  /** How well the item matches the message. Null unless Loupe selected the item for its match. */
  readonly score: number | null;
  /** Whether Loupe included the row only because earlier requests contained it. */
  readonly isEarlier: boolean;
}

export type FramedType = 'file' | 'page';

/** The names of the text that Loupe puts before and after items of a type. */
export const FRAME_LABELS: Readonly<Record<FramedType, string>> = { file: 'Text around files', page: 'Text around web pages' };

/** Returns the type of the items that the text of a block is around. Null for other blocks. */
export function framedType(key: string): FramedType | null {
  if (key.startsWith('pages:') || key.startsWith('header:page:')) {
    return 'page';
  }
  return key.startsWith('files:') || key.startsWith('header:') ? 'file' : null;
}

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
  forecast: Pick<Forecast, 'ends' | 'parts'> | null,
): BlockView[] {
  const held = new Map(records.flatMap(({ item, leftOut }) => (leftOut === null ? [[itemKey(item), item] as const] : [])));
  const rows = new Map<string, Row>();
  const rowOf = ({ block, item, label }: Run): Row => {
    // A rule and a file may have the same name.
    const key = `${block.category} ${label}`;
    const row = rows.get(key) ?? { ...newRow(block, item, held.get(contextKey(block.item ?? '')), loaded), label };
    rows.set(key, row);
    return row;
  };
  const counted = new Set<string>();
  const runs = runsOf(blocks);
  const endAt = (at: number): number => forecast?.ends[at - 1] ?? 0;
  const parts =
    forecast === null
      ? []
      : partsOf(
          runs.map(({ from, to }) => endAt(to) - endAt(from)),
          forecast.parts,
        );
  for (const [at, run] of runs.entries()) {
    const { first, last, sources, tokens } = run;
    const row = rowOf(run);
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
    const item = block.category === 'repository' ? repositoryRow(block.key) : block.item === null ? null : contextKey(block.item);
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

/** Returns a row without tokens. `held`: the item in the request. A carried block is sent, but no longer wanted. */
function newRow(
  { category, form, key: own }: MeasuredBlock,
  key: string | null,
  held: RequestContextItem | undefined,
  loaded: OnDemandTools['loaded'],
): Omit<Row, 'label'> {
  const file = fileKey(key);
  const wanted = form === 'carried' ? undefined : held;
  return {
    ...{ file, category, around: framedType(own), count: 0, tokens: 0, cache: null },
    isEarlier: form === 'carried' || isReplacedState({ category, form }) || (file !== null && wanted === undefined),
    includeMode: wanted?.includeMode ?? null,
    score: wanted?.similarityScore ?? null,
    server: wanted?.type === 'tool' ? wanted.serverName : null,
    ...loadOf(held, loaded),
  };
}

/** Whether a block is a part of an earlier workspace message that a later one replaces. */
function isReplacedState({ category, form }: Pick<MeasuredBlock, 'category' | 'form'>): boolean {
  return category === 'editor' && form === 'superseded';
}

function loadOf(held: RequestContextItem | undefined, loaded: OnDemandTools['loaded']): Pick<BlockView, 'loadedTokens'> {
  const loadedTokens = held?.type === 'tool' ? loaded.get(offeredName(held)) : undefined;
  return loadedTokens === undefined ? {} : { loadedTokens };
}

/** Returns the label of a row. For a block that is still sent without need, the label gives the reason. */
function labelOf({ key, item: own, form, category }: MeasuredBlock, item: string | null): string {
  if (form !== 'carried') {
    return `${rowLabel(item ?? key)}${isReplacedState({ category, form }) ? ' (replaced, but still sent)' : ''}`;
  }
  if (category === 'conversation') {
    return 'Excluded content, still sent';
  }
  return rowLabel(item ?? key) + (own !== null && isPick(own) ? ' (picked for an earlier message)' : ' (removed, but still sent)');
}

/** Rows of the repository map that the user cannot remove alone: the heading, and the files outside all folders. */
const FIXED_ROWS: ReadonlySet<string> = new Set(['repository:map', 'repository:map/./']);

/** Returns the key of the row for a block of the repository map: one for the file tree, one for each folder. */
function repositoryRow(key: string): string {
  return repositoryPart(key) === 'tree' ? 'repository:tree' : key;
}

/** Returns the item's key if the user can open or remove the item, or null. */
function fileKey(item: string | null): string | null {
  return item !== null && /^(?:file|page|rule|reference|resource|skill|tool|repository):/.test(item) && !FIXED_ROWS.has(item) ? item : null;
}

function rowLabel(key: string): string {
  const framed = framedType(key);
  if (framed !== null) {
    return FRAME_LABELS[framed];
  }
  const kind = key.slice(0, key.indexOf(':'));
  const name = key.slice(kind.length + 1);
  switch (kind) {
    case 'system':
      return 'System prompt';
    case 'fragment':
      return `Instructions from ${name}`;
    case 'file':
    case 'page':
    case 'rule':
    case 'reference':
    case 'resource':
    case 'skill':
    case 'tool':
      return name;
    case 'findTools':
      return name === '1' ? '1 tool name, definition on demand' : `${name} tool names, definitions on demand`;
    case 'editor':
      return capitalized(name);
    case 'retiredTool':
      return `${name} (no longer available)`;
    case 'repository':
      return name === 'tree' ? 'File tree' : name === 'map' ? 'Heading' : name.slice('map/'.length);
    case 'repositoryAcknowledged':
      return 'Text after the repository map';
    default:
      return CONVERSATION;
  }
}

/** Returns the key of a message for the key of its block. Other keys stay as they are. */
function messageOf(key: string): string {
  return key.startsWith('message:') ? key.slice(0, key.lastIndexOf('/')) : key;
}
