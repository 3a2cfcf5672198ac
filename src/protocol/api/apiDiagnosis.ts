import type { Verdict } from '../inspector/verdict.js';

/** What a request cost and why. Plain JSON, a part of the public API. */
export interface ApiDiagnosis {
  readonly attemptId: string;
  /** As the Request Inspector says it. `hint`: what would have cost less; null where nothing would, or that is not known. */
  readonly verdict: Verdict & { readonly hint: string | null };
  /**
   * Why the cache served as much as it did; null when unknown. `first`: nothing like it was sent before. `alone`: a request
   * of its own, such as for a title. `held`: it read what was there. `notAsked`: the chat asks for no caching. `noCache`: the provider
   * caches nothing. `belowMinimum`: too short to be cached. `expired`: the last use was too long ago. `edited`: a message was edited or
   * answered again. `item`: a file, a rule and the like changed, entered or left. `compacted`: a summary, or its undoing. `laidOutAnew`:
   * the order of the prompt changed. `marks`: its breakpoints do not reach what was cached. `parameters`: other settings of the model.
   * `otherForm`: a part of an earlier message was sent otherwise. `provider`: nothing here differs, and the time was not over.
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
   * What the provider says differs from the request before, where its API tells that; null where it said nothing. `same`: nothing differs.
   * `differs`: the first that does, with an estimate of the tokens behind it. `untold`: it had not finished, has no record of the request
   * before, or cannot tell. `other`: its own word for something else.
   */
  readonly providerDiagnosis: ApiProviderDiagnosis | null;
  /** The attempt that it was compared with; null for none. */
  readonly comparedWith: string | null;
  /** The first block that differs from that request, in what the cache had; null where nothing does. */
  readonly firstDifference: ApiDifference | null;
  /** Tokens that would have been read, had all been there that was sent before. */
  readonly expectedTokens: number | null;
  /** Tokens that were read; null where the provider did not say. */
  readonly readTokens: number | null;
  /** Tokens that the cache had, and that were sent to the model anew. */
  readonly againTokens: number | null;
  /** What these cost, and what the whole request would have cost had the cache held, in US dollars; null where that is not known. */
  readonly againCost: number | null;
  readonly costHadHeld: number | null;
  /** What was expected of the cache when the request was sent; null when its rules were unknown. `cost` is that of the input. */
  readonly forecast: { readonly read: number; readonly written: number; readonly fresh: number; readonly cost: number | null } | null;
  /**
   * What another layout, or a longer life of the cache, would have cost on this very chat up to this request. Empty where nothing was
   * lost, and where a replay does not make the very request that was sent, at its price.
   */
  readonly replays: readonly ApiReplay[];
}

export type ApiProviderDiagnosis =
  | { readonly kind: 'same' }
  | { readonly kind: 'differs'; readonly what: 'model' | 'tools' | 'system' | 'messages'; readonly tokens: number | null }
  | { readonly kind: 'untold'; readonly why: 'pending' | 'notFound' | 'unavailable' }
  | { readonly kind: 'other'; readonly word: string };

/** Requests of a chat replayed as they were, and otherwise. */
export interface ApiReplay {
  readonly own: ApiReplayed;
  readonly others: readonly ApiReplayed[];
}

export interface ApiReplayed {
  readonly layout: string;
  /** How long all breakpoints keep what they write; null where that is as the layout sets it. */
  readonly lifetime: '5m' | '30m' | '1h' | null;
  /** US dollars for the input of this request, and of all that were replayed. */
  readonly cost: number;
  readonly sum: number;
  readonly requests: number;
}

/** A block that differs between two requests. The hashes are those of `getRequest`; null where a request does not have the block. */
export interface ApiDifference {
  /** Its place among the blocks of the request, from 0. */
  readonly at: number;
  readonly key: string;
  readonly hash: string | null;
  readonly hashBefore: string | null;
}
