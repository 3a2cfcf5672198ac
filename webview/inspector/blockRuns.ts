import type { InspectedBlock } from '../../src/protocol/inspector/inspector.js';
import { sumOfCacheParts } from '../../src/protocol/forecast.js';
import { mainState } from '../shared/cacheStates.js';
import { counted, tokens } from '../shared/numbers.js';

/** Minimum number of messages in a run. Fewer messages are easy to read as separate rows. */
const LEAST_MESSAGES = 3;

/** Maximum number of blocks in a run. Drawing 250 rows takes up to 0.2 s, and a user opens one run at a time. */
const MOST_BLOCKS = 250;

/**
 * A single block, or consecutive blocks that share one row while closed, such as all tools or a part of the history.
 */
export interface BlockRun extends Pick<InspectedBlock, 'name' | 'tokens' | 'cache' | 'price'> {
  /** Positions of the run's blocks, counted from 0. `to` is the position after the last block. */
  readonly from: number;
  readonly to: number;
}

/** Divides the blocks of a request into runs. A run ends before `brokenAt`, the block where the cache broke. */
export function blockRuns(blocks: readonly InspectedBlock[], brokenAt: number | null): readonly BlockRun[] {
  const runs: BlockRun[] = [];
  for (let from = 0; from < blocks.length; ) {
    const to = endOfRun(blocks, from, brokenAt);
    const all = blocks.slice(from, to);
    const [first] = all;
    const least = first?.kind === 'tool' ? 2 : LEAST_MESSAGES;
    const ends = all.length < least ? all.map((_, at) => from + at + 1) : [to];
    for (const end of ends) {
      runs.push(runOf(blocks, from, end));
      from = end;
    }
  }
  return runs;
}

export function isFolded({ from, to }: BlockRun): boolean {
  return to - from > 1;
}

/** Returns the positions of the run's blocks, counted from 1: `9`, `9-21`. */
export function runNumber({ from, to }: BlockRun): string {
  return to - from === 1 ? tokens(to) : `${tokens(from + 1)}-${tokens(to)}`;
}

function endOfRun(blocks: readonly InspectedBlock[], from: number, brokenAt: number | null): number {
  const kind = kindOfRun(blocks[from]);
  let to = from + 1;
  while (kind !== null && to < blocks.length && to !== brokenAt && kindOfRun(blocks[to]) === kind && !isFull(blocks, from, to)) {
    to += 1;
  }
  return to;
}

/** Whether a run is full. A full run still takes the remaining parts of a message. */
function isFull(blocks: readonly InspectedBlock[], from: number, to: number): boolean {
  return to - from >= MOST_BLOCKS && blocks[to]?.message !== blocks[to - 1]?.message;
}

/** Returns the kind of run that a block belongs to, with its cache state. Null for a block with its own row. */
function kindOfRun(block: InspectedBlock | undefined): string | null {
  if (block === undefined || !isFoldable(block)) {
    return null;
  }
  return `${block.kind} ${block.cache === null ? '' : mainState(block.cache)}`;
}

function isFoldable({ kind, why }: InspectedBlock): boolean {
  return kind === 'tool' || (kind === 'message' && why.startsWith('history'));
}

function runOf(blocks: readonly InspectedBlock[], from: number, to: number): BlockRun {
  const all = blocks.slice(from, to);
  return {
    from,
    to,
    name: all.length === 1 ? (all[0]?.name ?? '') : nameOf(all),
    tokens: all.reduce((sum, block) => sum + block.tokens, 0),
    cache: sumOfCacheParts(all.map(({ cache }) => cache)),
    price: all.reduce<number | null>((sum, { price }) => (sum === null || price === null ? null : sum + price), 0),
  };
}

function nameOf(all: readonly InspectedBlock[]): string {
  if (all[0]?.kind === 'tool') {
    const servers = new Set(all.flatMap(({ server }) => server ?? [])).size;
    return [counted(all.length, 'tool'), ...(servers < 2 ? [] : [counted(servers, 'server')])].join(', ');
  }
  return counted(new Set(all.map(({ message }, at) => message ?? at)).size, 'message');
}
