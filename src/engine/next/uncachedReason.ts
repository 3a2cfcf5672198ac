import type { ChatConfig } from '../chat/settings/config.js';
import type { Forecast } from '../cache/forecast.js';
import type { ContentCause } from '../diagnosis/cause.js';
import { contentCause } from '../diagnosis/contentCause.js';
import { firstDifference } from '../diagnosis/firstDifference.js';
import type { Block } from '../model/block.js';
import { type CacheRules, TTL_SECONDS } from '../model/cacheRules.js';
import { promptBlocks, promptBreakpoints } from '../model/prompt.js';
import type { ManifestBlock, ManifestContent } from '../record/manifest.js';
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
  /** `at`: when the last request, or the part of it that is not read, expired in the cache, in epoch ms. */
  | { readonly kind: 'expired'; readonly at: number; readonly isPartly: boolean }
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
  readonly layout: string;
  /** Null for a damaged record. */
  readonly content: ManifestContent | null;
}

export type UncachedRequest = Pick<ComposedRequest, 'forecast' | 'layout' | 'records' | 'forgotten'> & {
  readonly prompt: Pick<ComposedRequest['prompt'], 'tools' | 'system' | 'messages'>;
  readonly model: { readonly capabilities: { readonly cache: CacheRules } };
  readonly situation: Pick<ComposedRequest['situation'], 'last'>;
  readonly size: { readonly tokens: number };
};

/** A request reads little if it reads less than this share of what the last request left in the cache. */
const LITTLE = 0.5;

/** An expiry explains why a request reads less if it concerns at least this share of what the request does not read. */
const NOTABLE = 0.1;

/**
 * Returns the reason, or null for a request that reads most of what can be in the cache, unless a notable part has
 * expired. `read`: see `LastRead`.
 */
export function uncachedReason(
  request: UncachedRequest,
  { cacheMode }: Pick<ChatConfig, 'cacheMode'>,
  read: () => LastRead | null,
): UncachedReason | null {
  const { cache } = request.model.capabilities;
  const { forecast } = request;
  return forecast === null ? { kind: 'unknown' } : (notCacheable(request, cache, cacheMode) ?? notRead(request, forecast, read));
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
function notRead(request: UncachedRequest, { parts, expired }: Forecast, read: () => LastRead | null): UncachedReason | null {
  const { last } = request.situation;
  if (last === null) {
    return parts.read > 0 ? null : { kind: 'new', isNewChat: true };
  }
  if (expired !== null && expired.tokens >= (parts.written + parts.fresh) * NOTABLE) {
    return { kind: 'expired', at: expired.at, isPartly: parts.read > 0 };
  }
  return littleRead(request, last, parts.read, read);
}

/** Returns why the request reads little of what has not expired. Null if it reads enough. */
function littleRead(request: UncachedRequest, last: SentRequest, tokens: number, read: () => LastRead | null): UncachedReason | null {
  const cached = sumTokens(last.isSameModel ? last.blocks.slice(0, last.cached) : last.blocks);
  if (tokens > 0 && tokens >= cached * LITTLE) {
    return null;
  }
  if (!last.isSameModel) {
    return { kind: 'otherModel' };
  }
  const before = cached > 0 ? read() : null;
  const change = before === null ? null : changeIn(request, before, last);
  return before === null ? { kind: 'new', isNewChat: false } : change === null ? { kind: 'lost' } : { kind: 'changed', change };
}

/** Returns the first change in the blocks that the last request left in the cache. Null without a change. */
function changeIn(
  { prompt, records, forgotten, layout }: UncachedRequest,
  { content, layout: was }: LastRead,
  { cached }: SentRequest,
): ContentCause | null {
  const blocks = promptBlocks(prompt).map(recorded);
  const found = content === null ? null : firstDifference(blocks, content.blocks);
  return content === null || found === null || found.at >= cached
    ? null
    : contentCause(found, { blocks, context: records, forgotten, layout }, { ...content, layout: was });
}

function recorded({ part, breakpoint: _breakpoint, ...block }: Block): ManifestBlock {
  return { ...block, opens: false, since: 0, content: block.source.from === 'snapshot' ? { inline: part } : null };
}

/** Returns the change of the chat's settings that helps for this reason. Null if none does. */
export function cacheWay(
  reason: UncachedReason,
  { model, forecast }: Pick<UncachedRequest, 'model' | 'forecast'>,
  { cacheMode, cacheLifetime, layout }: Pick<ChatConfig, 'cacheMode' | 'cacheLifetime' | 'layout'>,
): CacheWay | null {
  switch (reason.kind) {
    case 'off':
      return 'cacheOn';
    case 'tooShort':
      return reason.isSystemOnly ? 'cacheOn' : null;
    case 'expired':
      return cacheLifetime !== '1h' && (forecast?.expired?.unusedMs ?? Infinity) <= longestMs(model.capabilities.cache) ? 'longer' : null;
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
