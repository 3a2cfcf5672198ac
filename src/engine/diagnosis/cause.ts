/** Why the cache served as much of a request as it did. */
export type Cause =
  /** Nothing like it was sent before in the chat. */
  | { readonly kind: 'first' }
  /** A request of its own, such as for a title: it holds nothing of the conversation's prefix. */
  | { readonly kind: 'alone' }
  /** It read what was there. */
  | { readonly kind: 'held' }
  /** The request asked for no caching. */
  | { readonly kind: 'notAsked' }
  /** The provider caches nothing. */
  | { readonly kind: 'noCache' }
  /** What was sent before is shorter than the shortest prefix that the provider caches. */
  | { readonly kind: 'belowMinimum'; readonly minimumTokens: number }
  /** The last use was longer ago than entries live. */
  | { readonly kind: 'expired'; readonly idleMs: number }
  | { readonly kind: 'modelChanged'; readonly from: string }
  | ContentCause
  /** The request's breakpoints do not find the entries of the one before. */
  | { readonly kind: 'marks' }
  /** The same prompt was sent with other members of the request body. */
  | { readonly kind: 'parameters' }
  /** Nothing here differs, and as far as the rules of the cache are known their time was not over. */
  | { readonly kind: 'provider'; readonly rulesAreKnown: boolean };

/** What of the prompt itself differs from the request before. */
export type ContentCause =
  /** Other messages follow where both requests part: a message was edited, or answered again. */
  | { readonly kind: 'edited'; readonly what: 'message' | 'reply' }
  /** An item of the context: `name` is that of a file, a rule and so on. */
  | { readonly kind: 'item'; readonly name: string; readonly change: ItemChange }
  | { readonly kind: 'tools' }
  | { readonly kind: 'systemPrompt'; readonly fragment: string | null }
  | { readonly kind: 'compacted'; readonly isUndone: boolean }
  /** The prompt was laid out anew; `layout` is the new one, where the layout was changed. */
  | { readonly kind: 'laidOutAnew'; readonly layout: string | null }
  | { readonly kind: 'callsForgotten' }
  /** A part of a message is sent in another form, or not at all, such as reasoning that no longer may be. */
  | { readonly kind: 'otherForm' };

/** The kinds of `ContentCause`. */
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
 * `changed`: its text. `cut`: it was cut to fit, or another part of it. `picked` and `unpicked`: it fitted the message, or did no longer.
 * `added` and `removed`: it entered or left otherwise.
 */
export type ItemChange = 'changed' | 'cut' | 'picked' | 'unpicked' | 'added' | 'removed';
