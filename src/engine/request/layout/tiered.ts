import { minimumTokensOf } from '../../model/cacheRules.js';
import type { Block, Tier } from '../../model/block.js';
import type { BlockFactory } from '../blockFactory.js';
import { nameInKey } from '../../record/item.js';
import { sumTokens } from '../../sumTokens.js';
import { textsAroundFiles, type ContentGroups } from '../gather.js';
import type { Wish } from '../placeBreakpoints.js';
import type { Prompt } from '../../model/prompt.js';
import { turnsOf } from './turns.js';
import {
  filePair,
  fromUser,
  inSystemPrompt,
  withoutExcluded,
  withTurnContents,
  type LayoutResult,
  type Layout,
  type LayoutContext,
  type LayoutUnit,
} from './layout.js';
import { shortWishes, systemEnd } from './breakpointPlaces.js';
import { CACHED_TIERS, nextTiers, type CachedTier, type TierState } from './tierRise.js';
import { seededTiers } from './tierSeeds.js';
import { firstContents, trackedContents, type TrackedContents } from './trackedContents.js';

/**
 * Orders a request by stability, the longest unchanged parts first:
 * 1. L0: tools, system prompt with its files, then messages. Breakpoint.
 * 2. L1, L2, L3: for each tier, its files as a pair of messages, then messages. Breakpoint after each tier. L1 begins
 *    with the definitions of the workspace.
 * 3. Active, without a breakpoint: file tree, web pages, new and changed files, and the newest messages.
 *
 * A changed file is sent again next to other unstable parts, and the more stable tiers stay cached. Cost: active parts
 * are uncached in every request. When an item enters a tier, leaves it or changes in it, this and all later tiers are
 * uncached.
 *
 * The tiers follow from the record of the last request alone, so a loaded chat continues like an open chat. In the
 * first request, Loupe does not know yet which files stay unchanged. With a repository map, the tiers of the files
 * follow from the reference graph (`seededTiers`). Without a map, all files are active.
 */
export const tiered: Layout = { name: 'tiered', lay };

function lay(groups: ContentGroups, context: LayoutContext): LayoutResult {
  const { situation, factory } = context;
  const { tools, system, map, files } = groups;
  const copies = files?.files ?? [];
  const turns = turnsOf({ ...groups, conversation: withoutExcluded(groups.conversation) });
  const contents = { tools, system, map, copies, turns };
  const target = targetTokens(context);
  const tracked = situation.last === null ? seededContents(contents, context) : trackedContents(contents, situation.last);
  const tiers = isInterlude(groups) ? tracked.items.map(({ tier }) => tier) : nextTiers(tracked, target);
  const filesIn = copiesByTier(copies.map((block, at) => ({ block, tier: tiers[at] ?? 'active', count: tracked.items[at]?.count ?? 0 })));
  const said = saidByTier(turns.map(({ units }, at) => ({ units, tier: tiers[copies.length + at] ?? 'active' })));
  const messages: LayoutUnit[] = [];
  const lasts = new Map<CachedTier, number>();
  for (const tier of CACHED_TIERS) {
    const definitions = tier === 'L1' ? filePair(map).map((unit) => inTier(unit, tier)) : [];
    messages.push(...definitions, ...(tier === 'L0' ? [] : tierPair(tier, filesIn[tier], factory)), ...said[tier]);
    lasts.set(tier, messages.length - 1);
  }
  const working = files === null || filesIn.active.length === 0 ? null : { ...files, files: filesIn.active };
  messages.push(
    ...filePair(groups.tree),
    ...filePair(groups.pages),
    ...filePair(working),
    ...withTurnContents(said.active, groups, situation.last),
    ...fromUser(groups.instruction),
  );
  return {
    tools: tools.map((block) => ({ ...block, tier: 'L0' })),
    system: [...system.map((block): Block => ({ ...block, tier: 'L0' })), ...stableFiles(filesIn.L0, factory)],
    messages,
    wishes: (prompt, ends) => wishesOf(prompt, ends, lasts),
  };
}

function targetTokens({ options, model }: Pick<LayoutContext, 'options' | 'model'>): number {
  return options.cacheTargetTokens ?? minimumTokensOf(model.capabilities.cache);
}

/** Returns the contents of the first request, with the tiers of its files by the reference graph. */
function seededContents(contents: TrackedContents, context: LayoutContext): TierState {
  const { tools, system, map, copies } = contents;
  const room = {
    head: sumTokens([...tools, ...system]),
    map: map === null ? 0 : sumTokens([map.header, ...map.files, map.acknowledged]),
    target: targetTokens(context),
  };
  const files = copies.map(({ tokens, item }) => ({ tokens, link: context.fileLinks.get(nameInKey(item ?? '')) ?? null }));
  return firstContents(contents, seededTiers(files, room));
}

/** Whether the turn has already begun. No item may then move to another tier, so that the last cache write is read. */
function isInterlude({ instruction, conversation }: ContentGroups): boolean {
  return instruction !== null || conversation.at(-1)?.kind === 'reply';
}

interface PlacedCopy {
  readonly block: Block;
  readonly tier: Tier;
  readonly count: number;
}

/** Returns the files of each tier. Files that are unchanged for the longest time come first, new files last. */
function copiesByTier(copies: readonly PlacedCopy[]): Readonly<Record<Tier, readonly Block[]>> {
  const byTier: Record<Tier, Block[]> = { L0: [], L1: [], L2: [], L3: [], active: [] };
  for (const { block, tier } of copies.toSorted((a, b) => b.count - a.count)) {
    byTier[tier].push(block);
  }
  return byTier;
}

function saidByTier(
  exchanges: readonly { readonly units: readonly LayoutUnit[]; readonly tier: Tier }[],
): Readonly<Record<Tier, LayoutUnit[]>> {
  const said: Record<Tier, LayoutUnit[]> = { L0: [], L1: [], L2: [], L3: [], active: [] };
  for (const { units, tier } of exchanges) {
    for (const unit of units) {
      said[tier].push(tier === 'active' ? unit : inTier(unit, tier));
    }
  }
  return said;
}

/** Copies without object spread, for speed: a long conversation has thousands of units. */
function inTier(unit: LayoutUnit, tier: Tier): LayoutUnit {
  switch (unit.kind) {
    case 'blocks':
      return { kind: 'blocks', role: unit.role, blocks: unit.blocks.map((block) => ({ ...block, tier })) };
    case 'user':
      return { kind: 'user', message: unit.message, excludedWith: unit.excludedWith, isRemovedNow: unit.isRemovedNow, tier };
    case 'reply': {
      const { message, results, excludedCalls, excludedWith, isRemovedNow } = unit;
      return { kind: 'reply', message, results, excludedCalls, excludedWith, isRemovedNow, tier };
    }
  }
}

/** All tiers use this text, so the bytes stay the same when a whole tier rises into an empty tier. */
const HEADER = '# Reference Files\n\nMore files in this conversation, as they are now:';

function tierPair(tier: CachedTier, files: readonly Block[], factory: BlockFactory): LayoutUnit[] {
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

/** Returns the files of L0 as blocks of the system prompt. Their texts are concatenated. Empty without files. */
function stableFiles(files: readonly Block[], factory: BlockFactory): Block[] {
  if (files.length === 0) {
    return [];
  }
  const origin = { key: 'files:header/L0', role: 'system', category: 'files', item: null } as const;
  const header = factory.snapshotBlock(origin, { type: 'text', text: `\n\n${HEADER}` });
  return [header, ...files.map((file) => inSystemPrompt(file, factory))].map((block) => ({ ...block, tier: 'L0' }));
}

/**
 * Returns a breakpoint at the end of each filled tier; `lasts` are the indices of their last units. If a provider
 * allows fewer breakpoints, L3 and L0 come first: L3 covers the most text, and L0 is unchanged the longest.
 */
function wishesOf(prompt: Prompt, ends: readonly number[], lasts: ReadonlyMap<CachedTier, number>): readonly Wish[] {
  const endOf = (tier: CachedTier): number => {
    const at = lasts.get(tier) ?? -1;
    return at === -1 ? systemEnd(prompt) : (ends[at] ?? 0) - 1;
  };
  // An empty tier has the same end as the previous tier, and needs no breakpoint.
  return shortWishes(endOf('L3'), endOf('L0'), endOf('L1'), endOf('L2'));
}
