/** What a provider reported for a model: how its cache behaved, or what it charges. */
export interface ObservationView {
  /** One or two sentences. */
  readonly text: string;
  /** Whether the cache lost, refused or shortened what it had to keep, or prices differ from before. */
  readonly isAlarm: boolean;
  /** Whether it is about charges. The prices configured here may then be wrong. */
  readonly isOfPrices: boolean;
  /** The requests that prove it, newest first. */
  readonly proofs: readonly { readonly chatId: string; readonly attemptId: string }[];
}
