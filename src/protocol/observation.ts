/** What Loupe observed in a provider's reports about a model: how the cache works, or what requests cost. */
export interface ObservationView {
  /** One or two sentences. */
  readonly text: string;
  /** Whether this is a warning: cached content was lost or expired early, was not cached, or prices have changed. */
  readonly isAlarm: boolean;
  /** Whether the observation is about charges. The configured prices may then be wrong. */
  readonly isOfPrices: boolean;
  /** The requests that prove the observation, newest first. */
  readonly proofs: readonly { readonly chatId: string; readonly attemptId: string }[];
}
