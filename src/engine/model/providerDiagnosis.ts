/** What a provider says of a request beside an earlier one that the request named. It compares the requests, whatever its cache did. */
export type ProviderDiagnosis =
  /** It found nothing that differs. */
  | { readonly kind: 'same' }
  /** The first that differs. `tokens` is an estimate of what follows it; null where it gave none. */
  | { readonly kind: 'differs'; readonly what: 'model' | 'tools' | 'system' | 'messages'; readonly tokens: number | null }
  /** `pending`: it had not finished when the reply began. `notFound`: it has no record of the earlier request. `unavailable`: it cannot tell. */
  | { readonly kind: 'untold'; readonly why: 'pending' | 'notFound' | 'unavailable' }
  /** A reason that Loupe does not know. */
  | { readonly kind: 'other'; readonly word: string };
