import { billedPrices, priceOfReply } from '../../engine/model/price.js';
import { contextKey, SUMMARY_KEY } from '../../engine/request/gather.js';
import type { Block } from '../../engine/model/block.js';
import { promptBlocks } from '../../engine/model/prompt.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { Composed } from './composed.js';
import { scaledTokens } from './sizeTexts.js';
import { typicalReply } from './forecast/typicalReply.js';

/** Enough to see what makes a request dear, few enough for a low panel. */
const MOST_PARTS = 4;

/** A part of a request's input. */
export interface CostPart {
  /** For the user: the name of a file, or `earlier messages`. */
  readonly name: string;
  readonly tokens: number;
  /** In US dollars, like all prices here; null when unknown. */
  readonly usd: number | null;
}

/** What a request may cost before it is sent, and why. */
export interface RequestCost {
  /** The input as the cache is expected to serve it (not at all when that is unknown), and the reply as far as it can be told; null when unknown, 0 when it is not billed. */
  readonly usd: number | null;
  /** What of that is for the reply; null when nothing tells that. */
  readonly replyUsd: number | null;
  readonly tokens: number;
  /** The largest parts of the input, largest first. */
  readonly parts: readonly CostPart[];
}

type Priced = Pick<Composed, 'model' | 'inputCost' | 'forecast' | 'isPartial' | 'prompt' | 'size' | 'answered'>;

/** The cost of the next request for a reply: what its preview shows. */
export function costOfReply(composed: Priced, state: Pick<ChatState, 'attempts' | 'runs'>): RequestCost {
  return requestCost(composed, typicalReply(state, composed)?.median ?? null);
}

/** The cost of a request whose reply has at most so many tokens; null where it is too short to matter. */
export function costOfHousekeeping(composed: Priced, mostReplyTokens: number | null): RequestCost {
  return requestCost(
    composed,
    mostReplyTokens === null ? null : priceOfReply(mostReplyTokens, composed.size.tokens, composed.model.prices),
  );
}

/** What so many requests of the same cost may cost together. */
export function costOfParts({ usd, replyUsd, tokens, parts }: RequestCost, requests: number): RequestCost {
  const times = (figure: number | null): number | null => (figure === null ? null : figure * requests);
  return {
    usd: times(usd),
    replyUsd: times(replyUsd),
    tokens: tokens * requests,
    parts: parts.map((part) => ({ ...part, tokens: part.tokens * requests, usd: times(part.usd) })),
  };
}

function requestCost(composed: Priced, replyUsd: number | null): RequestCost {
  const { model, size, forecast } = composed;
  const inputCost = forecast?.costNow ?? composed.inputCost;
  const isFree = model.prices !== null && billedPrices(model.prices) === null;
  const known = isFree || inputCost === null ? null : inputCost;
  return {
    usd: isFree ? 0 : known === null ? null : known + (replyUsd ?? 0),
    replyUsd: known === null ? null : replyUsd,
    tokens: size.tokens,
    parts: largestParts(composed, known),
  };
}

/** The price of a part is its share of the input's, as in the rows of the next request. */
function largestParts({ prompt, size, answered }: Priced, inputCost: number | null): readonly CostPart[] {
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

/** What a block is a part of. The messages of a long chat are small, and many: together they are a part that one can act on. */
function partName({ key, item, role }: Block, answered: string | null): string {
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
  return role === 'tool-results' ? 'results of tools' : 'earlier messages';
}
