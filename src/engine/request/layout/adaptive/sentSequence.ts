import { type CacheRules, minimumTokensOf } from '../../../model/cacheRules.js';
import type { Block } from '../../../model/block.js';
import { sumTokens } from '../../../sumTokens.js';
import type { ContentGroups } from '../../gather.js';
import { sentMessage, sentPart } from '../trackedContents.js';
import type { SentBlock, SentRequest } from '../situation.js';
import type { ItemEntry, SentEntry } from './sequence.js';

export interface SentSequence {
  readonly entries: readonly SentEntry[];
  readonly blocks: ReadonlyMap<ItemEntry, Block>;
  /** The identities of the tools and of the blocks of the system prompt (`identityOf`). */
  readonly fixed: readonly string[];
  /** The blocks of the system prompt, or null when the content of one of these blocks cannot be read. */
  readonly system: readonly Block[] | null;
  /** For each block of the request, the number of message tokens up to the end of the block. */
  readonly tokens: readonly number[];
  readonly byItem: ReadonlyMap<string, readonly ItemEntry[]>;
}

/** A cache of sequences: the previews at each keystroke start from the same request. */
const known = new WeakMap<SentRequest['blocks'], SentSequence>();

/** Returns the last request as a sequence, up to the first item block whose content cannot be read. */
export function sentSequence({ blocks }: SentRequest): SentSequence {
  const sequence = known.get(blocks) ?? sequenceOf(blocks);
  known.set(blocks, sequence);
  return sequence;
}

/** A mutable unit. A copy for each block would make the cost of a reply with many calls quadratic. */
interface GrowingUnit {
  readonly kind: 'unit';
  readonly key: string;
  readonly parts: Set<number>;
  tokens: number;
}

type GrowingEntry = GrowingUnit | ItemEntry;

function sequenceOf(sent: SentRequest['blocks']): SentSequence {
  const entries: GrowingEntry[] = [];
  const blocks = new Map<ItemEntry, Block>();
  const byItem = new Map<string, ItemEntry[]>();
  for (const block of sent) {
    if (isFixed(block)) {
      continue;
    }
    if (block.item !== null) {
      const sendable = sendableBlock(block);
      if (sendable === null) {
        break;
      }
      const entry = itemEntry(block.item, block);
      blocks.set(entry, sendable);
      entries.push(entry);
      const ofItem = byItem.get(entry.key) ?? [];
      ofItem.push(entry);
      byItem.set(entry.key, ofItem);
    } else {
      addToUnit(entries, block);
    }
  }
  let total = 0;
  const tokens = sent.map((block) => (total += isFixed(block) ? 0 : block.tokens));
  const fixed = sent.filter((block) => isFixed(block) && !isRetired(block)).map(identityOf);
  const system = sent.filter(({ role }) => role === 'system').map(sendableBlock);
  return { entries, blocks, byItem, tokens, fixed, system: system.every((block) => block !== null) ? system : null };
}

function isFixed({ role }: Pick<Block, 'role'>): boolean {
  return role === 'tools' || role === 'system';
}

function isRetired({ key }: SentBlock): boolean {
  return key.startsWith('retiredTool:');
}

/** Returns the identity of a tool or of a system block. Tools are compared by key, because the sent name may differ. */
function identityOf({ role, key, hash }: Pick<Block, 'role' | 'key' | 'hash'>): string {
  return role === 'tools' ? key : hash;
}

/** Adds a block to its unit. Tool results belong to the reply before them. Headers and similar blocks have no unit. */
function addToUnit(entries: GrowingEntry[], block: SentBlock): void {
  const last = entries.at(-1);
  const isResult = block.role === 'tool-results' && last?.kind === 'unit';
  const key = isResult ? last.key : sentMessage(block);
  if (key === null) {
    return;
  }
  const isSame = last?.kind === 'unit' && last.key === key;
  const unit: GrowingUnit = isSame ? last : { kind: 'unit', key, parts: new Set(), tokens: 0 };
  const part = sentPart(block);
  if (part !== null) {
    unit.parts.add(part);
  }
  unit.tokens += block.tokens;
  if (!isSame) {
    entries.push(unit);
  }
}

function itemEntry(item: string, { copyHash, hash, tokens }: SentBlock): ItemEntry {
  return copyHash === undefined
    ? { kind: 'copy', key: item, version: hash, tokens }
    : { kind: 'change', key: item, version: copyHash, tokens };
}

/** Returns the block in a form that can be sent again, or null when its content cannot be read. */
function sendableBlock({ part, opens: _opens, since: _since, content: _content, ...block }: SentBlock): Block | null {
  return part === null ? null : { ...block, part, breakpoint: null };
}

/** Returns the tokens of the sequence that are probably still cached. 0 if tools or system prompt have changed. */
export function aliveTokens(
  { fixed, tokens }: SentSequence,
  { tools, system }: Pick<ContentGroups, 'tools' | 'system'>,
  alive: number,
): number {
  return hasSame(fixed, [...tools, ...system].map(identityOf)) ? (tokens[alive - 1] ?? 0) : 0;
}

/**
 * Returns the tokens of the last request that the next request reads from the cache only if it sends the same system
 * prompt. 0 if tools have changed. `alive`: number of blocks of the last request that are probably still cached.
 */
export function tokensKeptBySystem(
  { blocks, marks }: SentRequest,
  rules: CacheRules,
  { tools, system }: Pick<ContentGroups, 'tools' | 'system'>,
  alive: number,
): number {
  const sent = blocks.filter((block) => block.role === 'tools' && !isRetired(block));
  if (!hasSame(sent.map(identityOf), tools.map(identityOf))) {
    return 0;
  }
  const begin = blocks.findIndex(({ role }) => role === 'system');
  const same = system.findIndex(({ hash }, at) => hash !== blocks[begin + at]?.hash);
  const [first, cached] = [begin + (same === -1 ? system.length : same), blocks.slice(0, alive)];
  const readable =
    rules.kind === 'marks' ? 1 + Math.max(-1, ...marks.map(({ at }) => at).filter((at) => at < Math.min(first, alive))) : first;
  const read = sumTokens(cached.slice(0, readable));
  return sumTokens(cached) - (read < minimumTokensOf(rules) ? 0 : read);
}

function hasSame(identities: readonly string[], others: readonly string[]): boolean {
  return identities.length === others.length && identities.every((identity, at) => identity === others[at]);
}
