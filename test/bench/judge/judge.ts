import type { Bill, ProviderCache } from './cacheModel.js';
import { ANTHROPIC, FRESH_PRICE } from './cacheRules.js';
import type { Block, ChatRequest, Trace } from './content.js';
import type { Contestant, Pings } from './policy.js';
import { isExact, RequestValidator } from './validate.js';

/** Tokens that a request needs which only keeps a prefix alive. */
const PING_TOKENS = 10;

/** What a chat has cost. Tokens are those of its requests, pings left out; costs are in tokens of uncached input, pings included. */
export interface Judged {
  readonly cost: number;
  readonly tokens: number;
  readonly read: number;
  readonly written: number;
  /** Tokens of what no request requires: older versions, what has left the context, differences. */
  readonly extra: number;
  /** Whether each request held what it must and nothing else: then the lower bound holds. */
  readonly isExact: boolean;
}

/** The request that pings repeat, up to its last breakpoint. */
interface Repeated {
  readonly blocks: readonly Block[];
  readonly at: number;
}

/**
 * What a client's policy costs in a chat, with a cache that is empty at its beginning. All policies plan for a cache with Anthropic's
 * rules; one that works unasked ignores their breakpoints. Throws when a request does not hold what it must, or the provider refuses it.
 */
export function judge(trace: Trace, contestant: Contestant, cache: ProviderCache): Judged {
  const policy = contestant.create();
  const validator = new RequestValidator();
  let last: Repeated | null = null;
  const judged: Judged[] = [];
  for (const [index, request] of trace.requests.entries()) {
    const pings = pinged(last, request.at, contestant.pings, cache);
    const blocks = policy.plan(request, { rules: ANTHROPIC });
    const [problem] = validator.problems(request, blocks);
    if (problem !== undefined) {
      throw new Error(`${contestant.name}, ${trace.name} ${String(trace.seed)}, request ${String(index)}: ${problem}`);
    }
    judged.push(judgedRequest(request, blocks, cache.bill(blocks, request.at, request.model), pings));
    if (request.kind === 'chat') {
      last = { blocks: blocks.slice(0, blocks.findLastIndex(({ breakpoint }) => breakpoint !== null) + 1), at: request.at };
    }
  }
  return sumOf(judged);
}

/** All of them together. */
export function sumOf(judged: readonly Judged[]): Judged {
  const total = (of: (each: Judged) => number): number => judged.reduce((sum, each) => sum + of(each), 0);
  return {
    cost: total(({ cost }) => cost),
    tokens: total(({ tokens }) => tokens),
    read: total(({ read }) => read),
    written: total(({ written }) => written),
    extra: total(({ extra }) => extra),
    isExact: judged.every((each) => each.isExact),
  };
}

function judgedRequest(request: ChatRequest, blocks: readonly Block[], bill: Bill, pings: readonly Bill[]): Judged {
  const needed = new Set(request.items.map(({ hash }) => hash));
  const written = bill.written5m + bill.written1h;
  return {
    cost: pings.reduce((cost, ping) => cost + ping.cost + PING_TOKENS * FRESH_PRICE, bill.cost),
    tokens: bill.read + written + bill.fresh,
    read: bill.read,
    written,
    extra: blocks.reduce((tokens, block) => tokens + (needed.has(block.hash) ? 0 : block.tokens), 0),
    isExact: isExact(request, blocks),
  };
}

/** The bills of the requests that a client sends between the last request and that at `until`, to keep its entries alive. */
function pinged(last: Repeated | null, until: number, pings: Pings | null, cache: ProviderCache): Bill[] {
  const bills: Bill[] = [];
  if (last !== null && pings !== null && last.blocks.length > 0) {
    for (let at = last.at + pings.everySeconds; at < until && bills.length < pings.most; at += pings.everySeconds) {
      bills.push(cache.bill(last.blocks, at, 'main'));
    }
  }
  return bills;
}
