import type { Verdict } from '../inspector/verdict.js';

/** What a request cost and why. Plain JSON, part of the public API. */
export interface ApiDiagnosis {
  readonly attemptId: string;
  /** As shown in the Request Inspector. `hint`: what would have cost less. Null without a hint. */
  readonly verdict: Verdict & { readonly hint: string | null };
  /**
   * Why the request read that many tokens from the cache. Null when unknown.
   *
   * - `first`: no similar request was sent before.
   * - `alone`: a request with its own prompt, for example for a title.
   * - `held`: it read everything that was cached.
   * - `notAsked`: the chat does not use caching.
   * - `noCache`: the provider has no cache.
   * - `belowMinimum`: the prompt is too short to be cached.
   * - `expired`: the last use was too long ago.
   * - `edited`: a message was edited or retried.
   * - `item`: a file, rule or other item was added, changed or removed.
   * - `compacted`: a summary was made or undone.
   * - `laidOutAnew`: the prompt was rebuilt.
   * - `otherForm`: a part of an earlier message was sent in another form.
   * - `marks`: the breakpoints do not reach the cached part.
   * - `parameters`: other parameters of the model.
   * - `provider`: nothing changed, and the lifetime was not over.
   */
  readonly cause:
    | 'first'
    | 'alone'
    | 'held'
    | 'notAsked'
    | 'noCache'
    | 'belowMinimum'
    | 'expired'
    | 'modelChanged'
    | 'edited'
    | 'item'
    | 'tools'
    | 'systemPrompt'
    | 'compacted'
    | 'laidOutAnew'
    | 'callsForgotten'
    | 'otherForm'
    | 'marks'
    | 'parameters'
    | 'provider'
    | null;
  /**
   * What the provider reports as different from the earlier request. Null without a report. `same`: nothing. `differs`:
   * the first difference, with an estimate of the tokens after it. `untold`: it had not finished, did not know the
   * earlier request, or could not compare. `other`: another reason, in its own words.
   */
  readonly providerDiagnosis: ApiProviderDiagnosis | null;
  /** The attempt that it was compared with. Null without one. */
  readonly comparedWith: string | null;
  /** The first block that differs in the cached part. Null without a difference. */
  readonly firstDifference: ApiDifference | null;
  /** Tokens that the request would have read if everything sent before had still been cached. */
  readonly expectedTokens: number | null;
  /** Tokens read from the cache. Null if the provider did not report them. */
  readonly readTokens: number | null;
  /** Tokens that were cached but had to be processed again. */
  readonly againTokens: number | null;
  /** US dollars for these tokens, and for the whole request if the cache had worked. Null when unknown. */
  readonly againCost: number | null;
  readonly costHadHeld: number | null;
  /** The forecast when the request was sent. Null if the cache rules were unknown. `cost` is that of the input. */
  readonly forecast: { readonly read: number; readonly written: number; readonly fresh: number; readonly cost: number | null } | null;
  /**
   * What other layouts or cache lifetimes would have cost in this chat up to this request. Empty if nothing was lost,
   * or if a replay does not reproduce the request that was sent, with its cost.
   */
  readonly replays: readonly ApiReplay[];
}

export type ApiProviderDiagnosis =
  | { readonly kind: 'same' }
  | { readonly kind: 'differs'; readonly what: 'model' | 'tools' | 'system' | 'messages'; readonly tokens: number | null }
  | { readonly kind: 'untold'; readonly why: 'pending' | 'notFound' | 'unavailable' }
  | { readonly kind: 'other'; readonly word: string };

/** The requests of a chat, replayed as they were and with other layouts or lifetimes. */
export interface ApiReplay {
  readonly own: ApiReplayCost;
  readonly others: readonly ApiReplayCost[];
}

export interface ApiReplayCost {
  readonly layout: string;
  /** The lifetime of all breakpoints. Null for the lifetimes that the layout sets. */
  readonly lifetime: '5m' | '30m' | '1h' | null;
  /** US dollars for the input: of this request (`cost`), and of all replayed ones (`sum`). */
  readonly cost: number;
  readonly sum: number;
  readonly requests: number;
}

/** A block that differs between two requests. Hashes are those of `getRequest`, null if a request lacks the block. */
export interface ApiDifference {
  /** Its index among the blocks of the request, from 0. */
  readonly at: number;
  readonly key: string;
  readonly hash: string | null;
  readonly hashBefore: string | null;
}
