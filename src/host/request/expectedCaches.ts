import type { ChatState } from '../../engine/chat/state.js';
import { modelKey } from '../../engine/chat/config.js';
import { TTL_SECONDS, type CacheRules } from '../../engine/cache/cacheRules.js';
import { expectedCache, type ExpectedCache } from '../../engine/cache/expectedCache.js';
import { forecast, type Forecast } from '../../engine/cache/forecast.js';
import { wasAnswered } from '../../engine/diagnosis/pastRequest.js';
import { PrefixIds } from '../../engine/cache/prefixIds.js';
import { markedBlocks, requestParts } from '../../engine/cache/requestParts.js';
import { ManifestContents } from '../../engine/request/manifestContents.js';
import { promptBlocks } from '../../engine/request/prompt.js';
import type { Request } from '../../engine/request/request.js';

/** Answered requests that are read when a chat is opened: many for the hour that the longest entries live, and few enough to wait for. */
const MOST_READ = 50;

/** Prefixes that are told apart, at some 150 bytes each. After that everything begins anew: forecasts expect less than there is. */
const MOST_PREFIXES = 100_000;

interface Known {
  readonly rules: CacheRules;
  readonly cache: ExpectedCache;
  readonly prefixes: PrefixIds;
  /** The ids of the attempts that the cache has taken note of, or never will. */
  readonly seen: Set<string>;
}

/** What the caches of the providers are likely to have of the chats of a window. A cache is a model's own, and all chats share it. */
export class ExpectedCaches {
  readonly #known = new Map<string, Known>();
  /** By chat: a request is recorded as a difference to the one before, which is kept. */
  readonly #contents = new WeakMap<ChatState['attempts'], ManifestContents>();

  /** What is expected for a request of a chat at `now` (epoch milliseconds); null where nobody knows how its model caches. */
  forecast(request: Pick<Request, 'prompt' | 'size' | 'model'>, { attempts }: Pick<ChatState, 'attempts'>, now: number): Forecast | null {
    const { model, prompt, size } = request;
    const key = modelKey(model.ref);
    const known = this.#of(key, model.capabilities.cache);
    if (known === null) {
      return null;
    }
    takeNote(known, key, { attempts, contents: this.#contentsOf(attempts), now });
    const blocks = promptBlocks(prompt).map(({ hash, tokens, breakpoint }) => ({ hash, tokens, ttl: breakpoint?.ttl ?? null }));
    return forecast(known.cache, requestParts(blocks, size.tokens, known.prefixes), now, model.prices);
  }

  #contentsOf(attempts: ChatState['attempts']): ManifestContents {
    const known = this.#contents.get(attempts);
    if (known !== undefined) {
      return known;
    }
    const contents = new ManifestContents(attempts);
    this.#contents.set(attempts, contents);
    return contents;
  }

  #of(key: string, rules: CacheRules): Known | null {
    const known = this.#known.get(key);
    if (known !== undefined && JSON.stringify(known.rules) === JSON.stringify(rules) && known.prefixes.size <= MOST_PREFIXES) {
      return known;
    }
    const cache = expectedCache(rules);
    if (cache === null) {
      this.#known.delete(key);
      return null;
    }
    const made = { rules, cache, prefixes: new PrefixIds(), seen: new Set<string>() };
    this.#known.set(key, made);
    return made;
  }
}

interface Chat extends Pick<ChatState, 'attempts'> {
  readonly contents: ManifestContents;
  readonly now: number;
}

/** Applies the requests of a chat that ended since it was last looked at. */
function takeNote({ cache, prefixes, rules, seen }: Known, key: string, { attempts, contents, now }: Chat): void {
  const ended = [...attempts.values()].filter(({ id, end, model }) => end !== null && !seen.has(id) && modelKey(model) === key);
  if (ended.length === 0) {
    return;
  }
  for (const attempt of ended.filter((each) => wasAnswered(each) && now - each.startedAt <= longestLife(rules)).slice(-MOST_READ)) {
    const content = contents.of(attempt);
    if (content !== null) {
      const { marks, size } = attempt.manifest;
      const parts = requestParts(markedBlocks(content.blocks, marks), size.tokens, prefixes);
      cache.add({ at: attempt.startedAt, parts, usage: attempt.end?.usage ?? null });
    }
  }
  for (const { id } of ended) {
    seen.add(id);
  }
}

/** In ms. */
function longestLife(rules: CacheRules): number {
  switch (rules.kind) {
    case 'marks':
      return Math.max(...rules.lifetimes.map((ttl) => TTL_SECONDS[ttl])) * 1_000;
    case 'automatic':
      return rules.lifetimeSeconds * 1_000;
    case 'none':
    case 'unknown':
      return 0;
  }
}
