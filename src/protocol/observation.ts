/** What a provider really did for a model: its cache, or what it charges. */
export interface ObservationView {
  /** A sentence or two. */
  readonly text: string;
  /** It no longer does what it did. */
  readonly isAlarm: boolean;
  /** It is about what is charged: then the prices that are set here may be wrong. */
  readonly isOfPrices: boolean;
  /** The requests that prove it, the newest first. */
  readonly proofs: readonly { readonly chatId: string; readonly attemptId: string }[];
}
