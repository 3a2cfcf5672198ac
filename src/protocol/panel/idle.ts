import { roughPrice, tokens, wait } from '../numbers.js';

/** What Loupe shows about the cache of an idle chat. Costs are in US dollars, times in epoch milliseconds. */
export type IdleView =
  /** The cache is about to expire. */
  | {
      readonly kind: 'offered';
      /** Tokens of the next request, without the draft. */
      readonly tokens: number;
      readonly expiresAt: number;
      /** The cost of the next request after the expiry. */
      readonly cold: number;
      /** The most that a summary costs now. Null if it does not pay. */
      readonly summary: number | null;
      /** The most that keep-warm requests cost, and how long they keep the cache (ms). Null if they do not pay. */
      readonly keepWarm: { readonly cost: number; readonly time: number } | null;
    }
  /** The cache has expired. `more`: how much more the next request costs. */
  | {
      readonly kind: 'expired';
      readonly more: number;
      /** The most that a summary costs now, and what each later request then saves. Null if it does not pay. */
      readonly summary: { readonly cost: number; readonly saving: number } | null;
    }
  /** Loupe keeps the cache warm. `spent`: the cost of the requests so far. */
  | { readonly kind: 'warm'; readonly until: number; readonly spent: number; readonly requests: number }
  /** Why Loupe did not do what the user chose, or ended it. */
  | { readonly kind: 'note'; readonly text: string };

export type OfferedView = Extract<IdleView, { readonly kind: 'offered' }>;

/** Returns what the expiry costs, as two sentences about `chat`. `now`: epoch milliseconds. */
export function offerText({ tokens: count, expiresAt, cold }: OfferedView, chat: string, now: number): string {
  return `The cache of ${chat} (${tokens(count)} tokens) expires in ${wait(expiresAt - now)}. Coming back later costs about ${roughPrice(cold)}.`;
}

export interface IdleAction {
  readonly action: 'summarize' | 'keepWarm';
  readonly label: string;
}

/** Returns what the user can choose before the expiry. The labels fit on one line at 425 px. */
export function offeredActions({ summary, keepWarm }: OfferedView): readonly IdleAction[] {
  return [
    ...(summary === null ? [] : [{ action: 'summarize', label: `Summarize for ${roughPrice(summary)}` } as const]),
    ...(keepWarm === null
      ? []
      : [{ action: 'keepWarm', label: `Keep warm ${wait(keepWarm.time)} for ${roughPrice(keepWarm.cost)}` } as const]),
  ];
}
