/** What a provider reported for a model: how its cache behaved, or what it charges. */
export interface ObservationView {
  /** One or two sentences. */
  readonly text: string;
  /** Whether this is a warning: cached content was lost, refused or expired early, or prices have changed. */
  readonly isAlarm: boolean;
  /** Whether the observation is about charges. The configured prices may then be wrong. */
  readonly isOfPrices: boolean;
  /** The requests that prove the observation, newest first. */
  readonly proofs: readonly { readonly chatId: string; readonly attemptId: string }[];
}
