/** Why the provider read this much of a request from its cache, and not more. */
export type Cause =
  /** The chat sent nothing similar before. */
  | { readonly kind: 'first' }
  /** A separate request, such as for a title: it shares no prefix with the conversation. */
  | { readonly kind: 'alone' }
  /** The provider read everything of the request that was in its cache. */
  | { readonly kind: 'held' }
  /** The request has no breakpoints, so the provider did not cache it. */
  | { readonly kind: 'notAsked' }
  /** The provider caches nothing. */
  | { readonly kind: 'noCache' }
  /** The prefix that this request shares with an earlier request is shorter than the provider's minimum for caching. */
  | { readonly kind: 'belowMinimum'; readonly minimumTokens: number }
  /** The cache entry expired: it was last used longer ago than the lifetime of entries. */
  | { readonly kind: 'expired'; readonly idleMs: number }
  | { readonly kind: 'modelChanged'; readonly from: string }
  | ContentCause
  /** The provider found no entry of the previous request at the breakpoints of this request. */
  | { readonly kind: 'marks' }
  /** The prompt is the same, but other members of the request body differ. */
  | { readonly kind: 'parameters' }
  /** Loupe found no difference, and the entry had not expired, as far as the cache rules are known. */
  | { readonly kind: 'provider'; readonly rulesAreKnown: boolean };

/** What in the prompt differs from the previous request. */
export type ContentCause =
  /** The user edited a message (`message`), or retried its reply (`reply`). All later messages differ. */
  | { readonly kind: 'edited'; readonly what: 'message' | 'reply' }
  /** A context item changed. `name` is the name of a file, a rule or another item. */
  | { readonly kind: 'item'; readonly name: string; readonly change: ItemChange }
  | ({ readonly kind: 'tools' } & ToolChanges)
  | { readonly kind: 'systemPrompt'; readonly fragment: string | null }
  | { readonly kind: 'compacted'; readonly isUndone: boolean }
  /** The prompt was rebuilt. `layout` is the new layout, or null when the layout stayed the same. */
  | { readonly kind: 'laidOutAnew'; readonly layout: string | null }
  | { readonly kind: 'callsForgotten' }
  /** A part of a message is sent in another form, or no longer sent, such as reasoning that is not allowed now. */
  | { readonly kind: 'otherForm' };

export const CONTENT_CAUSES: ReadonlySet<Cause['kind']> = new Set<ContentCause['kind']>([
  'edited',
  'item',
  'tools',
  'systemPrompt',
  'compacted',
  'laidOutAnew',
  'callsForgotten',
  'otherForm',
]);

/** The names of the tools that differ. All are empty if only the order of the tools differs. */
export interface ToolChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/**
 * How an item changed:
 *
 * - `changed`: its text changed.
 * - `cut`: it was cut to fit, or cut at another place.
 * - `picked`: it now matches the message. `unpicked`: it no longer matches.
 * - `added`, `removed`: it was added to the request or removed from it for another reason.
 */
export type ItemChange = 'changed' | 'cut' | 'picked' | 'unpicked' | 'added' | 'removed';
