import { endOfAnswered } from '../../engine/chat/leftOut.js';
import { toolCallsOf } from '../../engine/chat/message.js';
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

/** By the id of the entry in the conversation. */
type Entry = [id: string, priced: LeavingOutPrice];

/** What bringing back adds to a request, by the id of the message that bears the mark. */
interface Missing {
  readonly group: string;
  readonly messageId: string;
  readonly tokens: number;
}

/**
 * What leaving out and bringing back would do to a request, for each turn of the conversation by the id of its message of the user, and for the tool calls
 * of each reply by the id of its attempt; only for what the request holds or the user has left out, and what is not being answered.
 */
export function leavingOutPrices(composed: Composed, state: ChatState): Readonly<Record<string, LeavingOutPrice>> {
  const { prompt, size, forecast } = composed;
  const groups = groupsOf(state);
  const places = new Map(openMessages(state).map(({ id }, at) => [id, at]));
  const shares = new Map<string, Share>();
  /** The messages in the request, by their place in the conversation, with what the cache serves in front of them. */
  const held: { readonly place: number; readonly readBefore: number }[] = [];
  let read = 0;
  for (const [at, block] of promptBlocks(prompt).entries()) {
    const served = forecast?.blocks[at]?.read ?? 0;
    const message = messageBehind(block) ?? '';
    held.push({ place: places.get(message) ?? -1, readBefore: read });
    for (const group of groups.get(message)?.(block) ?? []) {
      const share = shares.get(group) ?? { tokens: 0, read: 0, readBefore: read };
      share.tokens += block.tokens;
      share.read += served;
      shares.set(group, share);
    }
    read += served;
  }
  const marked = markedEntries(state);
  const canWait = keepsLayout(state.config);
  const again = (tokens: number): number | null => (forecast === null ? null : Math.max(0, Math.round(tokens)));
  const leaving = [...shares].slice(-MOST_PRICED).map(([group, { tokens, read: own, readBefore }]): Entry => {
    const figures = { tokens: scaledTokens(tokens, size), writtenAgain: again(read - readBefore - own) };
    return [group, { state: marked.has(group) ? 'leaving' : 'sent', canWait, ...priced(figures, false, composed) }];
  });
  const out = missingFrom(composed, state).filter(({ group }) => !shares.has(group));
  const back = out.slice(-MOST_PRICED).map(({ group, messageId, tokens }): Entry => {
    const place = places.get(messageId) ?? Infinity;
    const readBefore = held.find((each) => each.place > place)?.readBefore ?? read;
    const figures = { tokens: scaledTokens(tokens, size), writtenAgain: again(read - readBefore) };
    return [group, { state: 'out', canWait: false, ...priced(figures, true, composed) }];
  });
  return Object.fromEntries<LeavingOutPrice>([...leaving, ...back]);
}

/** The turns and tool calls that the user has left out of a request, by the ids of their entries. */
function missingFrom({ leftOutTurns, forgotten }: Composed, state: ChatState): readonly Missing[] {
  const replies = attemptsOfReplies(state);
  return [
    ...leftOutTurns.map(({ messageId, tokens }) => ({ group: messageId, messageId, tokens })),
    ...forgotten
      .filter(({ messageId }) => state.excluded.has(messageId))
      .map(({ messageId, tokens }) => ({ group: replies.get(messageId) ?? messageId, messageId, tokens })),
  ];
}

/** What the user has left out, by the ids of entries: a reply is shown by its attempt. */
function markedEntries(state: ChatState): ReadonlySet<string> {
  const replies = attemptsOfReplies(state);
  return new Set([...state.excluded.keys()].map((id) => replies.get(id) ?? id));
}

function attemptsOfReplies(state: ChatState): ReadonlyMap<string, string> {
  return new Map(
    openMessages(state).flatMap((message) => (message.role === 'assistant' ? [[message.id, message.attemptId] as const] : [])),
  );
}

const PER_MILLION = 1_000_000;

type Figures = Pick<LeavingOutPrice, 'tokens' | 'writtenAgain'>;

/** The figures with what they cost: `isBack` where the tokens come back, and are written as well. */
function priced(figures: Figures, isBack: boolean, { model }: Pick<Composed, 'model'>): Omit<LeavingOutPrice, 'state' | 'canWait'> {
  if (model.prices === null) {
    return { ...figures, cost: null, saving: null };
  }
  const { tokens, writtenAgain } = figures;
  const { input, cacheRead, cacheWrite5m } = model.prices;
  const { kind } = model.capabilities.cache;
  // Only a cache with marks has a price of its own for what it takes.
  const write = kind === 'marks' ? cacheWrite5m : input;
  const own = isBack ? tokens * write : 0;
  return {
    ...figures,
    cost: writtenAgain === null ? null : (writtenAgain * Math.max(0, write - cacheRead) + own) / PER_MILLION,
    saving: (tokens * (kind === 'none' ? input : cacheRead)) / PER_MILLION,
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
