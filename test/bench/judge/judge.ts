import { MarkedCache } from '../../support/cachingServer/markedCache.js';
import type { CacheUse, Prompt } from '../../support/cachingServer/prompt.js';
import { ANTHROPIC, FRESH_PRICE } from './cacheRules.js';
import type { Block, ChatRequest, Trace } from './content.js';
import { lowerBound } from './lowerBound.js';
import { isExact, RequestValidator } from './validate.js';

export interface Policy {
  plan(request: ChatRequest): readonly Block[];
}

export interface Contestant {
  readonly name: string;
  /** Called once per chat. */
  create(): Policy;
}

export interface Judged {
  readonly cost: number;
  /** Whether each request had exactly the required content. Then the lower bound applies. */
  readonly isExact: boolean;
}

/** Throws when a request lacks required content or the provider refuses it. The cache is empty at first. */
export function judge(trace: Trace, contestant: Contestant): Judged {
  const policy = contestant.create();
  const cache = new MarkedCache();
  const validator = new RequestValidator();
  const judged = trace.requests.map((request, index) => {
    const blocks = policy.plan(request);
    const [problem] = validator.problems(request, blocks);
    if (problem !== undefined) {
      throw new Error(`${contestant.name}, ${trace.name} ${String(trace.seed)}, request ${String(index)}: ${problem}`);
    }
    const pending = cache.use(promptOf(blocks), request.model, RULES, request.at * 1_000);
    pending.begin();
    return { cost: costOf(pending.use), isExact: isExact(request, blocks) };
  });
  return { cost: judged.reduce((sum, { cost }) => sum + cost, 0), isExact: judged.every((each) => each.isExact) };
}

export const RULES = { minimumTokens: ANTHROPIC.minimumTokens, lookback: ANTHROPIC.lookBack, toolRunsShareAPosition: false };

/** Throws a RangeError when the provider would answer with status 400. */
export function promptOf(blocks: readonly Block[]): Prompt {
  const asked = blocks.flatMap(({ breakpoint }) => breakpoint ?? []);
  if (asked.length > ANTHROPIC.mostBreakpoints) {
    throw new RangeError(`400: a request has ${String(asked.length)} breakpoints.`);
  }
  if (asked.some((ttl, at) => ttl === '1h' && asked[at - 1] === '5m')) {
    throw new RangeError('400: a breakpoint of an hour follows one of five minutes.');
  }
  const rest = { level: 'messages', run: null, opening: '', path: '' } as const;
  return {
    blocks: blocks.map(({ hash, tokens, breakpoint }) => ({ ...rest, text: hash, tokens, mark: breakpoint })),
    parameters: '',
    tail: 0,
  };
}

/** Returns the cost in tokens of uncached input. */
export function costOf({ read, written5m, written1h, fresh }: CacheUse): number {
  const { '5m': short, '1h': long } = ANTHROPIC.lifetimes;
  return read * ANTHROPIC.read + written5m * short.write + written1h * long.write + fresh * FRESH_PRICE;
}

/** Returns the cost of these chats divided by their lower bound. */
export function ratioOf(contestant: Contestant, traces: readonly Trace[]): number {
  const sum = (of: (trace: Trace) => number): number => traces.reduce((total, trace) => total + of(trace), 0);
  return sum((trace) => judge(trace, contestant).cost) / sum(lowerBound);
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
