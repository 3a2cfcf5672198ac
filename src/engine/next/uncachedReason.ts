import type { ChatConfig } from '../chat/settings/config.js';
import type { ContentCause } from '../diagnosis/cause.js';
import { contentCause } from '../diagnosis/contentCause.js';
import { firstDifference } from '../diagnosis/firstDifference.js';
import type { Block } from '../model/block.js';
import { type CacheRules, TTL_SECONDS } from '../model/cacheRules.js';
import { promptBlocks, promptBreakpoints } from '../model/prompt.js';
import type { ManifestBlock, ManifestContent } from '../record/manifest.js';
import { aliveBlocks } from '../request/layout/adaptive/sentSequence.js';
import type { SentRequest } from '../request/layout/situation.js';
import { sumTokens } from '../sumTokens.js';
import type { ComposedRequest } from './compose.js';

/** Why the next request reads nothing, or only little, from the provider's cache. */
export type UncachedReason =
  /** It is unknown whether the provider caches. */
  | { readonly kind: 'unknown' }
  /** The model has no cache. */
  | { readonly kind: 'noCache' }
  /** The chat's setting *Cache* is off. */
  | { readonly kind: 'off' }
  /** Less than the provider's minimum. `isSystemOnly`: the chat caches only the system prompt, which is too short. */
  | { readonly kind: 'tooShort'; readonly minimumTokens: number; readonly isSystemOnly: boolean }
  /** Nothing was cached before: the chat has sent nothing, or only requests that were not cached. */
  | { readonly kind: 'new'; readonly isNewChat: boolean }
  /** `at`: when the last request expired in the cache, in epoch ms. */
  | { readonly kind: 'expired'; readonly at: number }
  | { readonly kind: 'otherModel' }
  /** The first change in the prompt since the last request. */
  | { readonly kind: 'changed'; readonly change: ContentCause }
  /** The last request should be in the cache, but is not. */
  | { readonly kind: 'lost' };

/**
 * A change of the chat's settings with which later requests read more from the cache:
 *
 * - `cacheOn`: cache the whole conversation.
 * - `longer`: keep cached content for the longest lifetime of the provider.
 * - `inPlace`: send changed files at the end of the request, and leave the text before in place.
 */
export type CacheWay = 'cacheOn' | 'longer' | 'inPlace';

/** The last request of the chat that the provider has read. */
export interface LastRead {
  /** In epoch milliseconds. */
  readonly startedAt: number;
  readonly layout: string;
  /** Null for a damaged record. */
  readonly content: ManifestContent | null;
}

export type UncachedRequest = Pick<ComposedRequest, 'forecast' | 'layout' | 'records' | 'forgotten'> & {
  readonly prompt: Pick<ComposedRequest['prompt'], 'tools' | 'system' | 'messages'>;
  readonly model: { readonly capabilities: { readonly cache: CacheRules } };
  readonly situation: Pick<ComposedRequest['situation'], 'last' | 'idleMs'>;
  readonly size: { readonly tokens: number };
};

/** A request reads little if it reads less than this share of what the last request left in the cache. */
const LITTLE = 0.5;

/** Returns the reason, or null for a request that reads most of what can be in the cache. `read`: see `LastRead`. */
export function uncachedReason(
  request: UncachedRequest,
  { cacheMode }: Pick<ChatConfig, 'cacheMode'>,
  read: () => LastRead | null,
): UncachedReason | null {
  const { cache } = request.model.capabilities;
  return request.forecast === null ? { kind: 'unknown' } : (notCacheable(request, cache, cacheMode) ?? notRead(request, cache, read));
}

/** Returns why the provider caches no part of the request. Null if it caches a part. */
function notCacheable({ prompt, size }: UncachedRequest, cache: CacheRules, cacheMode: ChatConfig['cacheMode']): UncachedReason | null {
  switch (cache.kind) {
    case 'none':
      return { kind: 'noCache' };
    case 'marks':
      if (cacheMode === 'all-off') {
        return { kind: 'off' };
      }
      return promptBreakpoints(prompt).length > 0
        ? null
        : { kind: 'tooShort', minimumTokens: cache.minimumTokens, isSystemOnly: cacheMode === 'system' };
    case 'automatic':
      return size.tokens >= cache.minimumTokens ? null : { kind: 'tooShort', minimumTokens: cache.minimumTokens, isSystemOnly: false };
    case 'unknown':
      return null;
  }
}

/** Returns why a request that the provider caches reads little from the cache. Null if it reads enough. */
function notRead(request: UncachedRequest, cache: CacheRules, read: () => LastRead | null): UncachedReason | null {
  const { last } = request.situation;
  const tokens = request.forecast?.parts.read ?? 0;
  if (last === null) {
    return tokens > 0 ? null : { kind: 'new', isNewChat: true };
  }
  const left = aliveBlocks({ ...last, isSameModel: true }, cache, 0);
  const cached = sumTokens(last.blocks.slice(0, left));
  if (tokens > 0 && tokens >= cached * LITTLE) {
    return null;
  }
  if (!last.isSameModel) {
    return { kind: 'otherModel' };
  }
  const before = cached > 0 && cached >= minimumOf(cache) ? read() : null;
  return before === null ? { kind: 'new', isNewChat: false } : lostSince(request, cache, { last, left, cached, before });
}

/** Returns the minimum for content without breakpoints. Content with a breakpoint always has the minimum. */
function minimumOf(cache: CacheRules): number {
  return cache.kind === 'automatic' ? cache.minimumTokens : 0;
}

interface CachedBefore {
  readonly last: SentRequest;
  /** How many blocks of the last request were cached, with how many tokens. */
  readonly left: number;
  readonly cached: number;
  readonly before: LastRead;
}

/** Returns why content that the last request left in the cache is not read. */
function lostSince(request: UncachedRequest, cache: CacheRules, { last, left, cached, before }: CachedBefore): UncachedReason {
  const alive = sumTokens(last.blocks.slice(0, aliveBlocks(last, cache, request.situation.idleMs)));
  if (alive < cached * LITTLE) {
    return { kind: 'expired', at: before.startedAt + lifetimeMs(last, cache) };
  }
  const change = changeIn(request, before, left);
  return change === null ? { kind: 'lost' } : { kind: 'changed', change };
}

/** Returns the lifetime of the last request's longest cached part, as requested. */
function lifetimeMs({ marks }: SentRequest, cache: CacheRules): number {
  const ttl = marks.at(-1)?.ttl;
  return 1_000 * (cache.kind === 'automatic' ? cache.lifetimeSeconds : ttl === undefined ? 0 : TTL_SECONDS[ttl]);
}

/** Returns the first change in the `left` blocks that the last request left in the cache. Null without a change. */
function changeIn(
  { prompt, records, forgotten, layout }: UncachedRequest,
  { content, layout: was }: LastRead,
  left: number,
): ContentCause | null {
  const blocks = promptBlocks(prompt).map(recorded);
  const found = content === null ? null : firstDifference(blocks, content.blocks);
  return content === null || found === null || found.at >= left
    ? null
    : contentCause(found, { blocks, context: records, forgotten, layout }, { ...content, layout: was });
}

function recorded({ part, breakpoint: _breakpoint, ...block }: Block): ManifestBlock {
  return { ...block, opens: false, since: 0, content: block.source.from === 'snapshot' ? { inline: part } : null };
}

/** Returns the change of the chat's settings that helps for this reason. Null if none does. */
export function cacheWay(
  reason: UncachedReason,
  { model, situation }: Pick<UncachedRequest, 'model' | 'situation'>,
  { cacheMode, cacheLifetime, layout }: Pick<ChatConfig, 'cacheMode' | 'cacheLifetime' | 'layout'>,
): CacheWay | null {
  switch (reason.kind) {
    case 'off':
      return 'cacheOn';
    case 'tooShort':
      return reason.isSystemOnly ? 'cacheOn' : null;
    case 'expired':
      return cacheLifetime !== '1h' && situation.idleMs <= longestMs(model.capabilities.cache) ? 'longer' : null;
    case 'changed': {
      const { change } = reason;
      return change.kind === 'item' && change.change === 'changed' && cacheMode === 'cached' && layout !== 'adaptive' ? 'inPlace' : null;
    }
    default:
      return null;
  }
}

/** Returns the longest lifetime that a chat can choose. 0 if the provider offers no choice. */
function longestMs(cache: CacheRules): number {
  const longest = cache.kind === 'marks' && cache.lifetimes.length > 1 ? cache.lifetimes.at(-1) : undefined;
  return longest === undefined ? 0 : TTL_SECONDS[longest] * 1_000;
}
