/*
 * What the panel shows of a request that waits until the user has allowed what it may cost. All prices are in US dollars.
 */

/** A request that waits for the user. */
export interface SpendQuestionView {
  readonly id: string;
  /** `request` is one for a reply. */
  readonly about: 'request' | 'summary' | 'shortening' | 'title';
  /** What it may cost; null when unknown. */
  readonly cost: number | null;
  /** What of that is for the reply; null when nothing tells that. */
  readonly replyCost: number | null;
  readonly tokens: number;
  /** The largest parts of its input, largest first; a price is null when unknown. */
  readonly parts: readonly { readonly name: string; readonly tokens: number; readonly cost: number | null }[];
  readonly reason: SpendReason;
}

/** Which limit objects to it. `spent` is what was spent before; with `isAtLeast` the price of some requests is unknown. */
export type SpendReason =
  | { readonly kind: 'dear'; readonly limit: number }
  | { readonly kind: 'chatCap' | 'dayCap'; readonly limit: number; readonly spent: number; readonly isAtLeast: boolean };
