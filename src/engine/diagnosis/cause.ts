/** Why the cache served as much of a request as it did. */
export type Cause =
  /** The chat sent nothing similar before. */
  | { readonly kind: 'first' }
  /** A separate request, such as for a title: it shares no prefix with the conversation. */
  | { readonly kind: 'alone' }
  /** It read everything that the cache had. */
  | { readonly kind: 'held' }
  /** The request asked for no caching. */
  | { readonly kind: 'notAsked' }
  /** The provider caches nothing. */
  | { readonly kind: 'noCache' }
  /** The earlier prefix is shorter than the provider's minimum. */
  | { readonly kind: 'belowMinimum'; readonly minimumTokens: number }
  /** The last use was longer ago than the lifetime of entries. */
  | { readonly kind: 'expired'; readonly idleMs: number }
  | { readonly kind: 'modelChanged'; readonly from: string }
  | ContentCause
  /** The request's breakpoints do not find the entries of the previous request. */
  | { readonly kind: 'marks' }
  /** The same prompt was sent with other members in the request body. */
  | { readonly kind: 'parameters' }
  /** Found no difference, and the entry had not expired, as far as the cache rules are known. */
  | { readonly kind: 'provider'; readonly rulesAreKnown: boolean };

/** What in the prompt differs from the previous request. */
export type ContentCause =
  /** Other messages follow at the first difference: a message was edited, or its reply was retried. */
  | { readonly kind: 'edited'; readonly what: 'message' | 'reply' }
  /** An item of the context. `name` is the name of a file, a rule and so on. */
  | { readonly kind: 'item'; readonly name: string; readonly change: ItemChange }
  | { readonly kind: 'tools' }
  | { readonly kind: 'systemPrompt'; readonly fragment: string | null }
  | { readonly kind: 'compacted'; readonly isUndone: boolean }
  /** The prompt was rebuilt. `layout` is the new layout, or null when the layout stayed the same. */
  | { readonly kind: 'laidOutAnew'; readonly layout: string | null }
  | { readonly kind: 'callsForgotten' }
  /** A part of a message is sent in another form or no longer sent, such as reasoning that is no longer allowed. */
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

/**
 * How an item changed:
 *
 * - `changed`: its text changed.
 * - `cut`: it was cut to fit, or cut at another place.
 * - `picked`, `unpicked`: it matched the message, or no longer did.
 * - `added`, `removed`: it entered or left in another way.
 */
export type ItemChange = 'changed' | 'cut' | 'picked' | 'unpicked' | 'added' | 'removed';
