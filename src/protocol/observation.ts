/** What a provider reported for a model: what its cache did, or what it charges. */
export interface ObservationView {
  /** A sentence or two. */
  readonly text: string;
  /** The cache lost, refused or shortened what it had to keep, or other prices are charged than before. */
  readonly isAlarm: boolean;
  /** It is about what is charged: then the prices that are set here may be wrong. */
  readonly isOfPrices: boolean;
  /** The requests that prove it, the newest first. */
  readonly proofs: readonly { readonly chatId: string; readonly attemptId: string }[];
}
