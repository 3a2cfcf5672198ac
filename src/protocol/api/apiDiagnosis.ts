import type { Cause } from '../../engine/diagnosis/cause.js';
import type { ProviderDiagnosis } from '../../engine/model/model.js';
import type { Verdict } from '../inspector/inspector.js';

/** What a request cost and why. Plain JSON, part of the public API. */
export interface ApiDiagnosis {
  readonly attemptId: string;
  /** The verdict of the Request Inspector. `hint`: a change that would have cost less. Null without a hint. */
  readonly verdict: Verdict & { readonly hint: string | null };
  /**
   * Why the request read that many tokens from the cache. Null when unknown.
   *
   * - `first`: no similar request was sent before.
   * - `alone`: the request does not contain the conversation, for example a request for a title.
   * - `held`: everything that was cached was read.
   * - `notAsked`: the chat does not use caching.
   * - `noCache`: the provider has no cache.
   * - `belowMinimum`: the prompt is too short to be cached.
   * - `expired`: the cache was last used too long ago.
   * - `edited`: a message was edited or retried.
   * - `item`: a file, rule or other item was added, changed or removed.
   * - `compacted`: a summary was made or undone.
   * - `laidOutAnew`: the prompt was rebuilt.
   * - `otherForm`: a part of an earlier message was sent in another form.
   * - `marks`: no breakpoint is close enough to the cached part.
   * - `parameters`: the model's parameters were different.
   * - `provider`: Loupe does not know the cause. Nothing changed, and the cache had not expired.
   */
  readonly cause: Cause['kind'] | null;
  /**
   * What the provider reports as different from the earlier request. Null without a report. `same`: nothing differs.
   * `differs`: the first difference, with an estimate of the tokens after it. `untold`: the provider had not finished
   * the comparison, did not find the earlier request, or could not compare. `other`: a reason in the provider's words.
   */
  readonly providerDiagnosis: ProviderDiagnosis | null;
  /** Id of the earlier attempt in this comparison. Null if nothing was compared. */
  readonly comparedWith: string | null;
  /** The first block of the cached part that changed. Null if no block changed. */
  readonly firstDifference: ApiDifference | null;
  /** Tokens that the request would have read from the cache if all earlier content had still been cached. */
  readonly expectedTokens: number | null;
  /** Tokens read from the cache. Null if the provider did not report them. */
  readonly readTokens: number | null;
  /** Tokens that were in the cache, but that the provider processed again. */
  readonly againTokens: number | null;
  /** Extra US dollars for `againTokens`, and the cost of the request with a working cache. Null when unknown. */
  readonly againCost: number | null;
  readonly costHadHeld: number | null;
  /** The forecast before sending. Null if the cache rules were unknown. `cost`: US dollars for the input. */
  readonly forecast: { readonly read: number; readonly written: number; readonly fresh: number; readonly cost: number | null } | null;
  /**
   * What other layouts or cache lifetimes would have cost in this chat up to this request. Empty if no cached tokens
   * were lost. Also empty if the replay with the real layout does not give the costs of the real requests.
   */
  readonly replays: readonly ApiReplay[];
}

/** The costs of a chat's requests, replayed with the real layout and lifetime (`own`), and with others (`others`). */
export interface ApiReplay {
  readonly own: ApiReplayCost;
  readonly others: readonly ApiReplayCost[];
}

export interface ApiReplayCost {
  readonly layout: string;
  /** The lifetime used for all breakpoints. Null if the layout sets the lifetimes. */
  readonly lifetime: '5m' | '30m' | '1h' | null;
  /** US dollars for the input of this request (`cost`), and of all replayed requests (`sum`). */
  readonly cost: number;
  readonly sum: number;
  readonly requests: number;
}

/** A block that differs between two requests. Hashes are as in `getRequest`; null if a request lacks the block. */
export interface ApiDifference {
  /** Index of the block among the blocks of the request, from 0. */
  readonly at: number;
  readonly key: string;
  readonly hash: string | null;
  readonly hashBefore: string | null;
}
