/** Why a request costs much. `expired`: tokens that the cache has dropped. `part`: content of this name. */
export type PriceReason =
  | { readonly kind: 'expired' }
  | { readonly kind: 'otherModel' }
  | { readonly kind: 'part'; readonly name: string; readonly tokens: number };

export interface RequestPart {
  readonly name: string;
  readonly tokens: number;
  /** How many of the tokens the last request of the chat did not contain. */
  readonly newTokens: number;
}

export interface PricedContent {
  /** Tokens of the request. */
  readonly tokens: number;
  /** Tokens that the request will probably read from the cache. */
  readonly read: number;
  /** Tokens that the cache contained after the last reply, and that have expired. */
  readonly expired: number;
  /** Whether the last request of the chat went to another model. */
  readonly isOtherModel: boolean;
  readonly parts: readonly RequestPart[];
}

/** Minimum share of a reason in the tokens that the request pays in full. Smaller shares explain little. */
const LEAST_SHARE = 0.1;

/** Maximum number of parts in the explanation, so that it fits on two lines. */
const MOST_PARTS = 2;

/** Returns the reasons for the price, computed from the content. Without other reasons, returns the largest part. */
export function priceReasons({ tokens, read, expired, isOtherModel, parts }: PricedContent): readonly PriceReason[] {
  const least = LEAST_SHARE * (tokens - read);
  const added = parts
    .filter(({ newTokens }) => newTokens > 0 && newTokens >= least)
    .toSorted((a, b) => b.newTokens - a.newTokens)
    .slice(0, MOST_PARTS);
  const reasons: readonly PriceReason[] = [
    ...(isOtherModel ? [{ kind: 'otherModel' } as const] : []),
    ...(expired > 0 && expired >= least ? [{ kind: 'expired' } as const] : []),
    ...added.map(({ name, newTokens }) => ({ kind: 'part', name, tokens: newTokens }) as const),
  ];
  const [largest] = parts.toSorted((a, b) => b.tokens - a.tokens);
  return reasons.length > 0 || largest === undefined ? reasons : [{ kind: 'part', name: largest.name, tokens: largest.tokens }];
}
