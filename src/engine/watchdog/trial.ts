import type { Ttl } from '../cache/cacheRules.js';
import type { AnsweredRequest } from '../cache/expectedCache.js';

/** An answered request, and where it is recorded. */
export interface WatchedRequest extends AnsweredRequest {
  /** When its answer was whole, in epoch milliseconds. What it writes is there from its beginning on, at some time before that. */
  readonly endedAt: number;
  readonly chatId: string;
  readonly attemptId: string;
}

/** What one request tells about the cache: whether a prefix was served, or taken, that the provider could have served, or taken. */
export interface Trial {
  /** When the request was sent, in epoch milliseconds. */
  readonly at: number;
  readonly chatId: string;
  readonly attemptId: string;
  /** The lifetime that was asked for; null where the cache is not asked. */
  readonly asked: Ttl | null;
  /** The one for which the provider said that it wrote the prefix; where it does not say, the one that was asked for. */
  readonly given: Ttl | null;
  /** Milliseconds since the prefix was last used; 0 where it is the request that writes it. */
  readonly gap: number;
  /** Tokens of the prefix. */
  readonly tokens: number;
  readonly isServed: boolean;
  /** Tokens that were not read though they had been sent before; 0 where the prefix was served, and where it was to be written. */
  readonly lost: number;
}

/** Finds what requests tell. They come in the order in which they were sent. */
export interface TrialSource {
  take(request: WatchedRequest): readonly Trial[];
}
