/** A provider's comparison of a request with an earlier one. It covers the requests only, not what the cache did. */
export type ProviderDiagnosis =
  /** Found no difference. */
  | { readonly kind: 'same' }
  /** The first difference. `tokens` estimates the size of what follows it; null without an estimate. */
  | { readonly kind: 'differs'; readonly what: 'model' | 'tools' | 'system' | 'messages'; readonly tokens: number | null }
  /** `pending`: unfinished when the reply began. `notFound`: earlier request unknown. `unavailable`: no result. */
  | { readonly kind: 'untold'; readonly why: 'pending' | 'notFound' | 'unavailable' }
  /** A result that Loupe does not know. */
  | { readonly kind: 'other'; readonly word: string };
