import { type Block, type Tier, contentHash } from '../../model/block.js';
import { type ContentGroups, SUMMARY_KEY } from '../gather.js';
import { repositoryPart } from '../../repository/repositoryTexts.js';
import { isSame } from '../../same.js';
import type { LayoutTurn } from './turns.js';
import type { SentBlock, SentRequest } from './situation.js';
import type { TierState, TrackedItem } from './tierRise.js';

/** Matches the keys of blocks that replace a part of a message, such as `noImage:{message}/0`. */
const PART_KEY = /^(?:author|noImage|replyImage|callText|resultText|adapted|repeat|lostResult):([^/]+)\//;

/** Matches the key of a block that replaces a tool call. The number is the index of the call in its reply. */
const CALL_TEXT_KEY = /^callText:[^/]+\/(\d+)$/;

/** Returns the index of the part that a block contains or replaces, within its reply. Null for other blocks. */
export function sentPart({ role, key, source }: Pick<SentBlock, 'role' | 'key' | 'source'>): number | null {
  if (role !== 'assistant') {
    return null;
  }
  const part = CALL_TEXT_KEY.exec(key)?.[1];
  return source.from === 'message' ? source.part : part === undefined ? null : Number(part);
}

/** Returns the id of the message of a block, or the key of the summary. Null for other blocks, such as headers. */
export function sentMessage({ key, source }: SentBlock): string | null {
  if (key.startsWith(SUMMARY_KEY)) {
    return key;
  }
  return source.from === 'message' ? source.messageId : (PART_KEY.exec(key)?.[1] ?? null);
}

export interface TrackedContents extends Pick<ContentGroups, 'tools' | 'system' | 'map'> {
  readonly copies: readonly Block[];
  /** Oldest first. The last turn contains the message without a reply. */
  readonly turns: readonly LayoutTurn[];
}

const NEW: TrackedItem = { tokens: 0, count: 0, tier: 'active' };

/** Returns the contents of the first request: the copies of items, with these tiers, then the turns. */
export function firstContents({ copies, turns }: TrackedContents, tiers: readonly Tier[]): TierState {
  const items = copies.map(({ tokens }, at): TrackedItem => ({ tokens, count: 0, tier: tiers[at] ?? 'active' }));
  return { items: [...items, ...turns.map(() => NEW)], broken: new Set() };
}

/** Compares the contents with the last request. Returns the copies of items, then the turns. */
export function trackedContents(contents: TrackedContents, last: SentRequest): TierState {
  const sent = sentItems(last);
  const items = [...contents.copies.map((copy) => trackedCopy(copy, sent)), ...trackedTurns(contents.turns, sent)];
  const broken = new Set<Tier>([
    ...(hasSameHead(contents, last) ? [] : ['L0' as const]),
    ...(hasSameMap(contents, last) ? [] : ['L1' as const]),
  ]);
  for (const { stays, tier } of sent.all.values()) {
    if (!stays) {
      broken.add(tier);
    }
  }
  return { items, broken };
}

/** An item of the last request, or a message with the results of its calls. */
interface SentItem {
  /** The content hash of a copy of an item. Null for a message. */
  readonly hash: string | null;
  /** The ordinal of the first request with the same content. */
  since: number;
  readonly tier: Tier;
  tokens: number;
  /** Indices of the parts of a reply that were sent. They show which tool calls were sent. */
  readonly parts: Set<number>;
  /** Keys of the blocks of the results. */
  readonly results: Set<string>;
  /** Whether the next request has the item in the same tier, before any items move to other tiers. */
  stays: boolean;
}

interface SentItems {
  readonly ordinal: number;
  /** Sent items by the keys of copies and the ids of messages. */
  readonly all: ReadonlyMap<string, SentItem>;
}

function sentItems({ blocks, ordinal }: SentRequest): SentItems {
  const all = new Map<string, SentItem>();
  let message: string | null = null;
  for (const block of blocks) {
    const { item, key, tokens, since, tier } = block;
    if (block.role === 'tools' || block.category === 'repository') {
      continue;
    }
    if (item !== null) {
      all.set(key, { hash: contentHash(block), since, tier, tokens, parts: new Set(), results: new Set(), stays: false });
      continue;
    }
    // Tool results are a part of the reply before them.
    message = block.role === 'tool-results' ? message : sentMessage(block);
    if (message === null) {
      continue;
    }
    const known = all.get(message) ?? { hash: null, since, tier, tokens: 0, parts: new Set(), results: new Set(), stays: false };
    known.since = Math.min(known.since, since);
    known.tokens += tokens;
    if (block.role === 'tool-results') {
      known.results.add(key);
    }
    const part = sentPart(block);
    if (part !== null) {
      known.parts.add(part);
    }
    all.set(message, known);
  }
  return { ordinal: ordinal + 1, all };
}

function trackedCopy({ key, hash }: Block, { all, ordinal }: SentItems): TrackedItem {
  const before = all.get(key);
  if (before?.hash !== hash) {
    return NEW;
  }
  before.stays = true;
  return { tokens: before.tokens, count: ordinal - before.since, tier: before.tier };
}

/**
 * Returns the tracked turns. Sent messages change only when tool calls are removed or included again.
 * - The count of a turn starts with the first request that has all of it unchanged. The last turn has the count 0.
 * - No turn has a higher count or a more stable tier than an earlier turn, to keep the order. So after a new summary,
 *   or after a changed or restored message, all counts start from 0 again.
 * - If all calls of a reply are removed, nothing more can be removed from the reply. Its count then starts with the
 *   first request that contained the reply.
 */
function trackedTurns(exchanges: readonly LayoutTurn[], { all, ordinal }: SentItems): TrackedItem[] {
  let mostCount = Infinity;
  let highest: Tier = 'L0';
  return exchanges.map(({ keys, blank, calls }, at) => {
    const isOver = at < exchanges.length - 1;
    const sent: SentItem[] = [];
    let tokens = 0;
    for (const key of keys) {
      const each = all.get(key);
      if (each !== undefined) {
        sent.push(each);
        tokens += each.tokens;
        const isSame = (calls.get(key) ?? []).every(
          ({ part, isHeld, reference }) => each.parts.has(part) === isHeld && (reference === null || each.results.has(reference)),
        );
        mostCount = isOver && isSame ? Math.min(mostCount, ordinal - each.since) : 0;
        highest = lowerTier(highest, each.tier);
      } else if (!blank.has(key)) {
        mostCount = 0;
      }
    }
    highest = mostCount === 0 ? 'active' : highest;
    for (const each of sent) {
      each.stays = each.tier === highest;
    }
    return { tokens, count: mostCount, tier: highest };
  });
}

function lowerTier(a: Tier, b: Tier): Tier {
  // The names of the tiers are in alphabetical order, capitals first.
  return a < b ? b : a;
}

/** Whether the definitions of the workspace, which begin L1, are unchanged. */
function hasSameMap({ map }: TrackedContents, { blocks }: SentRequest): boolean {
  const sent = blocks.filter(({ key, role }) => repositoryPart(key) === 'map' && role === 'user').map(({ hash }) => hash);
  const now = map === null ? [] : [map.header, ...map.files].map(({ hash }) => hash);
  return isSame(sent, now);
}

/** Whether tools and system prompt are unchanged. Tools are compared by key, because their sent names may differ. */
function hasSameHead({ tools, system }: TrackedContents, { blocks }: SentRequest): boolean {
  const identity = ({ role, key, hash }: Pick<Block, 'role' | 'key' | 'hash'>): string => (role === 'tools' ? key : hash);
  const end = blocks.findIndex(({ role }) => role !== 'tools' && role !== 'system');
  const head = end === -1 ? blocks : blocks.slice(0, end);
  // The system prompt also contains the files of L0, which are compared as copies.
  const before = head.filter(({ category, key }) => category !== 'files' && !key.startsWith('retiredTool:'));
  const now = [...tools, ...system];
  return before.length === now.length && before.every((block, at) => now[at] !== undefined && identity(block) === identity(now[at]));
}
