import { TTL_SECONDS, type CacheRules } from '../../../cache/cacheRules.js';
import type { Block } from '../../block.js';
import { SUMMARY_KEY, type Groups } from '../../gather.js';
import type { SentBlock, SentRequest } from '../situation.js';
import type { ItemEntry, SentEntry } from './sequence.js';

/** The last request as a sequence. */
export interface SentSequence {
  readonly entries: readonly SentEntry[];
  /** The blocks of its copies and changes. */
  readonly blocks: ReadonlyMap<ItemEntry, Block>;
}

/** The keys of blocks that stand for a part of a message, such as `noImage:{message}/0`. */
const PART_KEY = /^(?:noImage|callText|resultText|adapted|lostResult):([^/]+)\//;

/** The last request as the adaptive layout would go on with it, as far as its blocks can still be read. */
export function sentSequence({ blocks: sent }: SentRequest, groups: Groups): SentSequence {
  const units = unitsByMessage(groups);
  const entries: SentEntry[] = [];
  const blocks = new Map<ItemEntry, Block>();
  for (const block of sent.filter(({ role }) => role !== 'tools' && role !== 'system')) {
    const unit = unitOf(block, units);
    const last = entries.at(-1);
    if (block.item !== null) {
      const sendable = sendableBlock(block);
      if (sendable === null) {
        break;
      }
      const entry = itemEntry(block.item, block);
      blocks.set(entry, sendable);
      entries.push(entry);
    } else if (unit !== null && last?.kind === 'unit' && last.key === unit) {
      entries[entries.length - 1] = { ...last, tokens: last.tokens + block.tokens };
    } else if (unit !== null) {
      entries.push({ kind: 'unit', key: unit, tokens: block.tokens });
    }
  }
  return { entries, blocks };
}

/** The unit of each message: a reply has the messages with its results. */
function unitsByMessage({ conversation }: Groups): ReadonlyMap<string, string> {
  const units = new Map<string, string>();
  for (const said of conversation) {
    units.set(said.message.id, said.message.id);
    for (const { messageId } of said.kind === 'reply' ? said.results.values() : []) {
      units.set(messageId, said.message.id);
    }
  }
  return units;
}

/** The key of the unit that a block is part of; null for a block that only joins others, such as a header. */
function unitOf({ key, source }: SentBlock, units: ReadonlyMap<string, string>): string | null {
  if (key.startsWith(SUMMARY_KEY)) {
    return key;
  }
  const id = source.from === 'message' ? source.messageId : PART_KEY.exec(key)?.[1];
  return id === undefined ? null : (units.get(id) ?? id);
}

function itemEntry(item: string, { copyHash, hash, tokens }: SentBlock): ItemEntry {
  return copyHash === undefined
    ? { kind: 'copy', key: item, version: hash, tokens }
    : { kind: 'change', key: item, version: copyHash, tokens };
}

/** The block as it can be sent again; null when its content cannot be read. */
function sendableBlock({ part, opens: _opens, since: _since, content: _content, ...block }: SentBlock): Block | null {
  return part === null ? null : { ...block, part, breakpoint: null };
}

/** Of a provider that does not say how it caches: to go on costs little where it caches nothing, and to rewrite much where it does. */
const UNKNOWN_LIFETIME_SECONDS = 300;

/** How many blocks of the last request, from its beginning, the provider's cache is likely to have still. */
export function aliveBlocks({ blocks, marks, isSameModel }: SentRequest, rules: CacheRules, idleMs: number): number {
  const isAlive = (seconds: number): boolean => isSameModel && idleMs <= seconds * 1_000;
  switch (rules.kind) {
    case 'marks':
      return Math.max(0, ...marks.filter(({ ttl }) => isAlive(TTL_SECONDS[ttl])).map(({ at }) => at + 1));
    case 'automatic':
      return isAlive(rules.lifetimeSeconds) ? blocks.length : 0;
    case 'unknown':
      return isAlive(UNKNOWN_LIFETIME_SECONDS) ? blocks.length : 0;
    case 'none':
      return 0;
  }
}

/** Tokens of the sequence that the cache is likely to have still. Nothing when tools or system prompt are others now. */
export function aliveTokens(last: SentRequest, { tools, system }: Pick<Groups, 'tools' | 'system'>, alive: number): number {
  const isFixed = ({ role }: Pick<Block, 'role'>): boolean => role === 'tools' || role === 'system';
  const fixed = last.blocks.filter((block) => isFixed(block) && !block.key.startsWith('retiredTool:'));
  // A tool may have been sent under another name, so tools are compared by key.
  const identity = ({ role, key, hash }: Pick<Block, 'role' | 'key' | 'hash'>): string => (role === 'tools' ? key : hash);
  const now = [...tools, ...system];
  if (fixed.length !== now.length || fixed.some((block, at) => now[at] === undefined || identity(block) !== identity(now[at]))) {
    return 0;
  }
  return last.blocks.slice(0, alive).reduce((sum, block) => sum + (isFixed(block) ? 0 : block.tokens), 0);
}
