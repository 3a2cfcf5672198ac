import { billedPrices, priceOfReply } from '../../engine/model/price.js';
import { contextKey, SUMMARY_KEY } from '../../engine/request/gather.js';
import { isWorkspace } from '../../engine/request/workspace.js';
import type { Block } from '../../engine/model/block.js';
import { promptBlocks } from '../../engine/model/prompt.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { ComposedRequest } from '../../engine/next/compose.js';
import { scaledTokens } from '../../engine/record/requestSize.js';
import { typicalReply } from '../../engine/accounting/usualCosts.js';

/** Maximum number of parts. Four parts show what makes a request expensive, and fit into a low panel. */
const MOST_PARTS = 4;

export interface CostPart {
  /** The name that the user sees: a file name, or a group such as `earlier messages`. */
  readonly name: string;
  readonly tokens: number;
  /** Price in US dollars. Null when unknown. All prices in this file are in US dollars. */
  readonly usd: number | null;
}

export interface RequestCost {
  /** Price of the input with expected cache reads, plus an estimated reply. Null when unknown, 0 for a free model. */
  readonly usd: number | null;
  /** The price of the estimated reply, which is a part of `usd`. Null when unknown. */
  readonly replyUsd: number | null;
  readonly tokens: number;
  readonly parts: readonly CostPart[];
}

type RepliedChat = Pick<ChatState, 'attempts' | 'runs'>;

type CostInput = Pick<ComposedRequest, 'model' | 'inputCost' | 'forecast' | 'isPartial' | 'prompt' | 'size' | 'answered'>;

/** Returns the expected cost of the next request with a reply of typical length, as the preview shows it. */
export function costOfReply(composed: CostInput, state: RepliedChat): RequestCost {
  return requestCost(composed, typicalReply(state, composed)?.median ?? null);
}

/** Returns the price of `costOfReply` without the parts, for each key press: the parts need all blocks. */
export function usdOfReply(composed: CostInput, state: RepliedChat): Pick<RequestCost, 'usd'> {
  return pricesOf(composed, typicalReply(state, composed)?.median ?? null);
}

/** Returns the cost of a request and a reply of `mostReplyTokens`. Null ignores a reply of a few words. */
export function costOfHousekeeping(composed: CostInput, mostReplyTokens: number | null): RequestCost {
  return requestCost(
    composed,
    mostReplyTokens === null ? null : priceOfReply(mostReplyTokens, composed.size.tokens, composed.model.prices),
  );
}

export function costOfParts({ usd, replyUsd, tokens, parts }: RequestCost, requests: number): RequestCost {
  const times = (figure: number | null): number | null => (figure === null ? null : figure * requests);
  return {
    usd: times(usd),
    replyUsd: times(replyUsd),
    tokens: tokens * requests,
    parts: parts.map((part) => ({ ...part, tokens: part.tokens * requests, usd: times(part.usd) })),
  };
}

function requestCost(composed: CostInput, replyUsd: number | null): RequestCost {
  const { inputUsd, ...prices } = pricesOf(composed, replyUsd);
  return { ...prices, tokens: composed.size.tokens, parts: largestParts(composed, inputUsd) };
}

function pricesOf(
  { model, forecast, inputCost }: CostInput,
  replyUsd: number | null,
): Pick<RequestCost, 'usd' | 'replyUsd'> & { readonly inputUsd: number | null } {
  const isFree = model.prices !== null && billedPrices(model.prices) === null;
  const inputUsd = isFree ? null : (forecast?.costNow ?? inputCost);
  return {
    usd: isFree ? 0 : inputUsd === null ? null : inputUsd + (replyUsd ?? 0),
    replyUsd: inputUsd === null ? null : replyUsd,
    inputUsd,
  };
}

/** Returns the largest parts of a request. The price of a part is its share of the tokens times the input price. */
function largestParts({ prompt, size, answered }: CostInput, inputCost: number | null): readonly CostPart[] {
  const tokensOf = new Map<string, number>();
  for (const block of promptBlocks(prompt)) {
    const name = partName(block, answered);
    tokensOf.set(name, (tokensOf.get(name) ?? 0) + block.tokens);
  }
  return [...tokensOf]
    .map(([name, counted]) => {
      const tokens = scaledTokens(counted, size);
      return { name, tokens, usd: inputCost === null || size.tokens === 0 ? null : (inputCost * tokens) / size.tokens };
    })
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, MOST_PARTS);
}

/** The plural names of parts. */
export const PLURAL_PARTS: ReadonlySet<string> = new Set(['tools', 'tool results', 'earlier messages']);

/** The names that Loupe gives to parts. All other parts have the name of an item, such as a file. */
export const OWN_PARTS: ReadonlySet<string> = new Set([...PLURAL_PARTS, 'editor state', 'system prompt', 'summary', 'your message']);

/** Returns the name of a block's part. The many small earlier messages are one part. */
export function partName({ key, item, role }: Pick<Block, 'key' | 'item' | 'role'>, answered: string | null): string {
  if (item !== null && isWorkspace(item)) {
    return 'editor state';
  }
  if (item !== null) {
    const name = contextKey(item);
    return name.slice(name.indexOf(':') + 1);
  }
  if (role === 'tools') {
    return 'tools';
  }
  if (role === 'system') {
    return 'system prompt';
  }
  if (key.startsWith(SUMMARY_KEY)) {
    return 'summary';
  }
  if (answered !== null && key.startsWith(`message:${answered}/`)) {
    return 'your message';
  }
  return role === 'tool-results' ? 'tool results' : 'earlier messages';
}
