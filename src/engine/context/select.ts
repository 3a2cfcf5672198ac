import type { ChatConfig } from '../chat/settings/config.js';
import type { ContextState } from '../chat/slices/context.js';
import type { Catalog, CatalogItem } from './catalogItem.js';
import { itemKey, type IncludeMode, type NotSelectedItem, type NotSelectedReason, type RequestContextItem } from '../record/item.js';
import { isReplaced } from '../record/fileProblem.js';
import type { Score } from './rank/lexical.js';

/** Limits for picking items for a message: a minimum score (how well an item fits, 0 to 1) and a number of items. */
export interface PickLimits {
  readonly minimum: number;
  readonly most: number;
  /** Minimum score with which Loupe picks an item even beyond the number `most`. */
  readonly certain: number;
}

export function pickLimits({
  pickMinimum,
  pickMost,
  pickCertain,
}: Pick<ChatConfig, 'pickMinimum' | 'pickMost' | 'pickCertain'>): PickLimits {
  return { minimum: pickMinimum / 100, most: pickMost, certain: pickCertain === null ? Infinity : pickCertain / 100 };
}

/** Items of the catalog for a request, in addition to the items already in the chat (`context`). */
export interface Selection {
  /** Tools with the mode `always`: in every request, unless the user removed them from the chat. */
  readonly always: readonly RequestContextItem[];
  /** Tools that every request lists by name only. The model can load them. */
  readonly onDemand: readonly RequestContextItem[];
  readonly picked: readonly RequestContextItem[];
  readonly forFiles: readonly RequestContextItem[];
  /** All other items of the catalog, each with the reason why it is not selected. */
  readonly absent: readonly NotSelectedItem[];
}

export interface SelectionInput {
  readonly catalog: Catalog;
  readonly chat: Pick<ContextState, 'context' | 'removed' | 'declined'>;
  /** The scores of the items that fit the message, the best first. All other items have a score of 0. */
  readonly scores: readonly Score[];
  readonly isForFile: (item: CatalogItem) => boolean;
  readonly limits: PickLimits;
  /** Whether the model supports tools. If not, tools do not count toward the limit `most`. */
  readonly takesTools: boolean;
  /** Whether the model can load tools. If not, `onDemand` tools are picked as if their mode were `agent`. */
  readonly loadsTools: boolean;
}

/** Loupe also records scores below the minimum, from this share of it on, so that the user sees near misses. */
const NEAR = 0.5;

/**
 * Divides the catalog into the groups of a `Selection`. Picks `agent` items for files of the chat, or with a high score
 * for the message. Skips items that were added to the chat, because the request contains them anyway.
 */
export function select({ catalog, chat, scores, isForFile, limits, takesTools, loadsTools }: SelectionInput): Selection {
  const always: RequestContextItem[] = [];
  const onDemand: RequestContextItem[] = [];
  const picked: RequestContextItem[] = [];
  const forFiles: RequestContextItem[] = [];
  const absent: NotSelectedItem[] = [];
  const all = loadsTools ? catalog : withoutOnDemand(catalog);
  const ranks = ranksOf(scores, all, { chat, takesTools });
  for (const [key, item] of all) {
    if (chat.context.has(key)) {
      continue;
    }
    if (isAlwaysHeld(key, item, chat)) {
      (item.include === 'always' ? always : onDemand).push(requestItem(item, item.include));
      continue;
    }
    const fixed = fixedReason(key, item, chat) ?? slowReason(item);
    if (fixed !== null) {
      absent.push({ item: requestItem(item, item.include), reason: fixed });
      continue;
    }
    const base = requestItem(item, 'agent');
    if (isForFile(item)) {
      forFiles.push(base);
      continue;
    }
    const rank = ranks.get(key);
    const reason = scoreReason(item, rank, limits);
    const isNear = rank !== undefined && rank.score >= limits.minimum * NEAR;
    const scored = isNear ? { ...base, similarityScore: rank.score } : base;
    if (reason === null) {
      picked.push(scored);
    } else {
      absent.push({ item: scored, reason });
    }
  }
  return { always, onDemand, picked: picked.sort((a, b) => rankOf(a, ranks) - rankOf(b, ranks)), forFiles, absent };
}

/** Lists each member for speed: V8 takes about 3 µs to add a member to a copy, and this runs for each item at a key. */
function requestItem({ type, name, serverName }: CatalogItem, includeMode: IncludeMode): RequestContextItem {
  return type === 'tool' ? { type, name, serverName: serverName ?? '', includeMode } : { type, name, includeMode };
}

/** Gives tools with the mode `onDemand` the mode `agent`, for a model that cannot load tools. */
function withoutOnDemand(catalog: Catalog): Catalog {
  return new Map([...catalog].map(([key, item]) => [key, item.include === 'onDemand' ? { ...item, include: 'agent' } : item]));
}

/** Whether the words of a message can pick the item. An item with file patterns needs a description for this. */
export function isRanked({ include, offBy, problem, applies, description }: CatalogItem): boolean {
  const isPicked = include === 'agent' || include === 'onDemand';
  return isPicked && offBy === null && problem === null && (applies === null || description !== '');
}

/** Whether the item is a tool that each request of the chat contains, in full or by name only. */
function isAlwaysHeld(key: string, { type, include, offBy, problem }: CatalogItem, { removed }: SelectionInput['chat']): boolean {
  return type === 'tool' && (include === 'always' || include === 'onDemand') && offBy === null && problem === null && !removed.has(key);
}

interface Rank {
  /** Number of items with a better score that count for the limit `most`. */
  readonly at: number;
  readonly score: number;
}

function ranksOf(
  scores: readonly Score[],
  catalog: Catalog,
  { chat: { context, declined }, takesTools }: Pick<SelectionInput, 'chat' | 'takesTools'>,
): ReadonlyMap<string, Rank> {
  const open = scores.filter(({ key }) => catalog.get(key)?.include === 'agent' && !context.has(key) && !declined.has(key));
  let at = 0;
  return new Map(
    open.map(({ key, score }) => {
      const rank = { at, score };
      at += takesTools || catalog.get(key)?.type !== 'tool' ? 1 : 0;
      return [key, rank];
    }),
  );
}

function rankOf(item: RequestContextItem, ranks: ReadonlyMap<string, Rank>): number {
  return ranks.get(itemKey(item))?.at ?? Infinity;
}

/** Returns the reason why no request of the chat selects the item. Null when this depends on the message. */
function fixedReason(
  key: string,
  { type, offBy, include, problem }: CatalogItem,
  { removed, declined }: SelectionInput['chat'],
): NotSelectedReason | null {
  if (offBy !== null) {
    return { code: 'disabled', by: offBy };
  }
  if (isReplaced(problem)) {
    return problem;
  }
  if (include !== 'agent') {
    const isOffered = type === 'tool' && include === 'always' && !removed.has(key);
    return (isOffered ? problem : null) ?? { code: removed.has(key) ? 'removed' : 'notAdded' };
  }
  return declined.has(key) ? { code: 'removed' } : problem;
}

function slowReason({ applies }: CatalogItem): NotSelectedReason | null {
  return applies?.expressions?.areSlow() === true ? { code: 'slowExpression' } : null;
}

function scoreReason(item: CatalogItem, rank: Rank | undefined, { minimum, most, certain }: PickLimits): NotSelectedReason | null {
  if (!isRanked(item)) {
    return { code: 'noFile' };
  }
  if (rank === undefined || rank.score < minimum) {
    return { code: 'belowScore', minimum };
  }
  return rank.at < most || rank.score >= certain ? null : { code: 'beyondMost', most };
}
