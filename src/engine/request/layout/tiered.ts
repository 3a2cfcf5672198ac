import type { CacheRules } from '../../model/cacheRules.js';
import type { Block, Tier } from '../../model/block.js';
import type { BlockFactory } from '../blockFactory.js';
import { textsAroundFiles, type Groups } from '../gather.js';
import type { Wish } from '../mark.js';
import type { Prompt } from '../../model/prompt.js';
import { exchangesOf } from './exchanges.js';
import { filePair, fromUser, withoutLeftOut, withPicks, type LaidOut, type Layout, type LayoutContext, type Placed } from './layout.js';
import { shortWishes, systemEnd } from './places.js';
import { CACHED_TIERS, nextTiers, type CachedTier } from './tiers.js';
import { trackedContents } from './trackedContents.js';

/**
 * What has stayed the same longest stands first, in four cached tiers, each with a breakpoint at its end: L0 behind the system prompt,
 * then L1 to L3, each its files as a pair of messages and then its part of the conversation. Behind them stand, not cached, the files
 * that are new or have changed, and the newest messages. So a file that changes is sent again with what is as unstable as itself, and
 * the tiers above stay. It must miss all that is active, in every request, with the tool loop of the newest message; and, where
 * something enters a tier, leaves it or changes in it, that tier with all below.
 *
 * The tiers follow from the record of the last request alone, and a chat that was loaded goes on as one that was not. In a chat's first
 * request all is active: which parts of a repository are stable from the start only a graph of its references could tell.
 */
export const tiered: Layout = { name: 'tiered', lay };

function lay(groups: Groups, { situation, options, model, factory }: LayoutContext): LaidOut {
  const { tools, system, files } = groups;
  const copies = files?.files ?? [];
  const exchanges = exchangesOf({ ...groups, conversation: withoutLeftOut(groups.conversation) });
  const tracked = trackedContents({ tools, system, copies, exchanges }, situation.last);
  const target = options.cacheTargetTokens ?? fewestCached(model.capabilities.cache);
  const tiers = isInterlude(groups) ? tracked.items.map(({ tier }) => tier) : nextTiers(tracked, target);
  const filesIn = copiesByTier(copies.map((block, at) => ({ block, tier: tiers[at] ?? 'active', count: tracked.items[at]?.count ?? 0 })));
  const said = saidByTier(exchanges.map(({ units }, at) => ({ units, tier: tiers[copies.length + at] ?? 'active' })));
  const messages: Placed[] = [];
  const lasts = new Map<CachedTier, number>();
  for (const tier of CACHED_TIERS) {
    messages.push(...(tier === 'L0' ? [] : tierPair(tier, filesIn[tier], factory)), ...said[tier]);
    lasts.set(tier, messages.length - 1);
  }
  const working = files === null || filesIn.active.length === 0 ? null : { ...files, files: filesIn.active };
  messages.push(...filePair(working), ...withPicks(said.active, groups.picks), ...fromUser(groups.instruction));
  return {
    tools: tools.map((block) => ({ ...block, tier: 'L0' })),
    system: [...system.map((block): Block => ({ ...block, tier: 'L0' })), ...stableFiles(filesIn.L0, factory)],
    messages,
    wishes: (prompt, ends) => wishesOf(prompt, ends, lasts),
  };
}

/**
 * Whether a request goes on within a turn: a tool loop, or a request for a summary. Nothing rises then: the reply to come, or the
 * summary, reads what the request before wrote.
 */
function isInterlude({ instruction, conversation }: Groups): boolean {
  return instruction !== null || conversation.at(-1)?.kind === 'reply';
}

function fewestCached(rules: CacheRules): number {
  return rules.kind === 'marks' || rules.kind === 'automatic' ? rules.minimumTokens : 0;
}

interface PlacedCopy {
  readonly block: Block;
  readonly tier: Tier;
  readonly count: number;
}

/** The files of each tier: those that have been the same for longest first, so that what is added stands at the end. */
function copiesByTier(copies: readonly PlacedCopy[]): Readonly<Record<Tier, readonly Block[]>> {
  const byTier: Record<Tier, Block[]> = { L0: [], L1: [], L2: [], L3: [], active: [] };
  for (const { block, tier } of copies.toSorted((a, b) => b.count - a.count)) {
    byTier[tier].push(block);
  }
  return byTier;
}

/** The messages of each tier. */
function saidByTier(exchanges: readonly { readonly units: readonly Placed[]; readonly tier: Tier }[]): Readonly<Record<Tier, Placed[]>> {
  const said: Record<Tier, Placed[]> = { L0: [], L1: [], L2: [], L3: [], active: [] };
  for (const { units, tier } of exchanges) {
    for (const unit of units) {
      said[tier].push(tier === 'active' ? unit : inTier(unit, tier));
    }
  }
  return said;
}

/** Without spreading: a long conversation has thousands of units. */
function inTier(unit: Placed, tier: Tier): Placed {
  switch (unit.kind) {
    case 'blocks':
      return { kind: 'blocks', role: unit.role, blocks: unit.blocks.map((block) => ({ ...block, tier })) };
    case 'user':
      return { kind: 'user', message: unit.message, leftOutWith: unit.leftOutWith, leavesNow: unit.leavesNow, tier };
    case 'reply': {
      const { message, results, leaving, leftOutWith, leavesNow } = unit;
      return { kind: 'reply', message, results, leaving, leftOutWith, leavesNow, tier };
    }
  }
}

/** The same for all tiers: where a whole tier rises into an empty one, the provider is sent the same bytes. */
const HEADER = '# Reference Files\n\nMore files in this conversation, as they are now:';

/** The files of a tier as a pair of messages; nothing without files. */
function tierPair(tier: CachedTier, files: readonly Block[], factory: BlockFactory): Placed[] {
  if (files.length === 0) {
    return [];
  }
  const { acknowledged } = textsAroundFiles(factory);
  const header = factory.snapshotBlock(
    { key: `files:header/${tier}`, role: 'user', category: 'files', item: null },
    { type: 'text', text: HEADER },
  );
  const pair = filePair({ header, files, acknowledged: { ...acknowledged, key: `files:acknowledged/${tier}` } });
  return pair.map((unit) => inTier(unit, tier));
}

/** The files of L0 as blocks of the system prompt, whose texts are joined as they are; nothing without files. */
function stableFiles(files: readonly Block[], factory: BlockFactory): Block[] {
  if (files.length === 0) {
    return [];
  }
  const origin = { key: 'files:header/L0', role: 'system', category: 'files', item: null } as const;
  const header = factory.snapshotBlock(origin, { type: 'text', text: `\n\n${HEADER}` });
  return [header, ...files.map((file) => inSystemPrompt(file, factory))].map((block) => ({ ...block, tier: 'L0' }));
}

function inSystemPrompt(copy: Block, factory: BlockFactory): Block {
  const { key, category, item, form, hash, part } = copy;
  if (part.type !== 'text') {
    throw new RangeError(`${key} cannot stand in a system prompt: it is no text.`);
  }
  return factory.formedBlock({ key: `L0:${key}`, source: part.text, form }, () => ({
    ...factory.snapshotBlock({ key, role: 'system', category, item }, { type: 'text', text: `\n\n${part.text}` }),
    form,
    copyHash: hash,
  }));
}

/**
 * A breakpoint at the end of each tier that has something; `lasts` are the indices of their last units. Where a provider takes fewer,
 * those at the end of all and of L0 are the most important: one covers the most, the other stays the longest.
 */
function wishesOf(prompt: Prompt, ends: readonly number[], lasts: ReadonlyMap<CachedTier, number>): readonly Wish[] {
  const endOf = (tier: CachedTier): number => {
    const at = lasts.get(tier) ?? -1;
    return at === -1 ? systemEnd(prompt) : (ends[at] ?? 0) - 1;
  };
  // An empty tier ends where the one above it does, and needs no breakpoint of its own.
  return shortWishes(endOf('L3'), endOf('L0'), endOf('L1'), endOf('L2'));
}
