/*
 * A request that waits until the user approves its cost. All prices are in US dollars.
 */

export interface SpendQuestionView {
  readonly id: string;
  /** `request`: a request for a reply. */
  readonly about: 'request' | 'summary' | 'shortening' | 'title';
  /** The most that it may cost. Null when unknown. */
  readonly cost: number | null;
  /** The share of the reply in this cost. Null when unknown. */
  readonly replyCost: number | null;
  readonly tokens: number;
  /** The largest parts of the input, largest first. A price is null when unknown. */
  readonly parts: readonly { readonly name: string; readonly tokens: number; readonly cost: number | null }[];
  readonly reason: SpendReason;
}

/** The limit that the request exceeds. `spent`: the amount so far. `isAtLeast`: some prices are unknown. */
export type SpendReason =
  | { readonly kind: 'dear'; readonly limit: number }
  | { readonly kind: 'chatCap' | 'dayCap'; readonly limit: number; readonly spent: number; readonly isAtLeast: boolean };
