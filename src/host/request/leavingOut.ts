import { endOfAnswered } from '../../engine/chat/leftOut.js';
import { toolCallsOf } from '../../engine/chat/message.js';
import type { Prices } from '../../engine/accounting/price.js';
import type { ChatState } from '../../engine/chat/state.js';
import { openMessages } from '../../engine/compaction/range.js';
import type { Block } from '../../engine/request/block.js';
import { messageBehind } from '../../engine/request/gather.js';
import { promptBlocks } from '../../engine/request/prompt.js';
import type { LeavingOutPrice } from '../../protocol/leavingOut.js';
import type { Composed } from './composed.js';
import { keepsLayout } from './relayout.js';
import { scaledTokens } from './sizeTexts.js';

/** Turns and replies with calls that are priced, the newest: more than a panel shows at first. */
const MOST_PRICED = 100;

/** What belongs to a turn or to the tool calls of a reply, summed over the blocks of a request. */
interface Share {
  tokens: number;
  /** Tokens of it that the cache is expected to serve. */
  read: number;
  /** Tokens that the cache serves of the blocks in front of its first one. */
  readonly readBefore: number;
}

/**
 * What leaving out would do to a request, for each turn of the conversation by the id of its message of the user, and for the tool calls
 * of each reply by the id of its attempt; only for what the request holds, and what is not being answered.
 */
export function leavingOutPrices(composed: Composed, state: ChatState): Readonly<Record<string, LeavingOutPrice>> {
  const { prompt, size, model, forecast } = composed;
  const groups = groupsOf(state);
  const shares = new Map<string, Share>();
  let read = 0;
  for (const [at, block] of promptBlocks(prompt).entries()) {
    const served = forecast?.blocks[at]?.read ?? 0;
    for (const group of groups.get(messageBehind(block) ?? '')?.(block) ?? []) {
      const share = shares.get(group) ?? { tokens: 0, read: 0, readBefore: read };
      share.tokens += block.tokens;
      share.read += served;
      shares.set(group, share);
    }
    read += served;
  }
  const newest = [...shares].slice(-MOST_PRICED);
  const marked = markedEntries(state);
  return Object.fromEntries(
    newest.map(([group, { tokens, read: own, readBefore }]) => {
      const writtenAgain = forecast === null ? null : Math.max(0, Math.round(read - readBefore - own));
      const money =
        model.prices === null ? null : inMoney(scaledTokens(tokens, size), writtenAgain, model.prices, model.capabilities.cache.kind);
      const canWait = keepsLayout(state.config);
      return [
        group,
        { tokens: scaledTokens(tokens, size), writtenAgain, cost: null, saving: null, ...money, canWait, isLeftOut: marked.has(group) },
      ];
    }),
  );
}

/** What the user has left out, by the ids of entries: a reply is shown by its attempt. */
function markedEntries(state: ChatState): ReadonlySet<string> {
  const replies = openMessages(state).flatMap((message) =>
    message.role === 'assistant' ? [[message.id, message.attemptId] as const] : [],
  );
  const attempts = new Map(replies);
  return new Set([...state.excluded.keys()].map((id) => attempts.get(id) ?? id));
}

const PER_MILLION = 1_000_000;

function inMoney(
  tokens: number,
  writtenAgain: number | null,
  { input, cacheRead, cacheWrite5m }: Prices,
  cache: 'marks' | 'automatic' | 'none' | 'unknown',
): Pick<LeavingOutPrice, 'cost' | 'saving'> {
  // Only a cache with marks has a price of its own for what it takes.
  const write = cache === 'marks' ? cacheWrite5m : input;
  return {
    cost: writtenAgain === null ? null : (writtenAgain * Math.max(0, write - cacheRead)) / PER_MILLION,
    saving: (tokens * (cache === 'none' ? input : cacheRead)) / PER_MILLION,
  };
}

/** Which groups a block of a message belongs to, by the id of the message. */
function groupsOf(state: ChatState): ReadonlyMap<string, (block: Block) => readonly string[]> {
  const messages = openMessages(state);
  const groups = new Map<string, (block: Block) => readonly string[]>();
  let [turn, calls]: [string | null, string | null] = [null, null];
  for (const message of messages.slice(0, endOfAnswered(messages))) {
    if (message.role === 'user') {
      turn = message.id;
    } else if (message.role === 'assistant') {
      calls = toolCallsOf(message).length > 0 ? message.attemptId : null;
    }
    const ofTurn = turn === null ? [] : [turn];
    const ofCalls = message.role === 'user' || calls === null ? ofTurn : [...ofTurn, calls];
    groups.set(message.id, ({ part }) => (part.type === 'text' ? ofTurn : ofCalls));
  }
  return groups;
}
