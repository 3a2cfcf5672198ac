/** What a provider's cache really did for a model. */
export interface ObservationView {
  /** A sentence or two. */
  readonly text: string;
  /** It no longer does what it did. */
  readonly isAlarm: boolean;
  /** The requests that prove it, the newest first. */
  readonly proofs: readonly { readonly chatId: string; readonly attemptId: string }[];
}
