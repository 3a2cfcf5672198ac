import { blockParts } from '../cache/forecast.js';
import { PER_MILLION, ratesOf } from '../model/price.js';
import { endOfConcluded } from '../chat/excludedParts.js';
import { toolCallsOf, type AssistantMessage } from '../chat/message/message.js';
import type { ChatState } from '../chat/state.js';
import { openMessages } from '../compaction/range.js';
import type { Block, WirePart } from '../model/block.js';
import { messageBehind } from '../request/gather.js';
import { promptBlocks } from '../model/prompt.js';
import type { ComposedRequest } from './compose.js';
import { keepsLayout } from './relayout.js';
import { scaledTokens } from '../record/requestSize.js';

/** Maximum number of turns and replies with a price, newest first. A panel shows fewer at first. */
const MOST_PRICED = 100;

/** What changes if the user excludes or includes a turn, all tool calls of a reply, or one call. */
export interface ExclusionPrice {
  /**
   * `sent`: the next request contains the part. `leaving`: the user excluded the part, but the next request still
   * contains it. `out`: the next request does not contain the part, and all figures are about including it.
   */
  readonly state: 'sent' | 'leaving' | 'out';
  /** Tokens that each later request saves after an exclusion, or needs in addition after an inclusion. */
  readonly tokens: number;
  /** Tokens after the part that must be written to the cache again, once. Null if the cache content is unknown. */
  readonly writtenAgain: number | null;
  /** US dollars for this cache write and for the included part. Null without prices, or if `writtenAgain` is null. */
  readonly cost: number | null;
  /** US dollars that each later request saves, or costs in addition. Null without prices. */
  readonly saving: number | null;
  /** Whether the change costs nothing if it waits until the prompt is rebuilt for another reason. */
  readonly canWait: boolean;
}

export interface ExclusionPrices extends ExclusionPrice {
  /** Effect of excluding or including each single call, by call id. Missing for turns and for a reply with one call. */
  readonly calls?: Readonly<Record<string, ExclusionPrice>>;
}

/** What the user can exclude: a turn, all tool calls of a reply, or one of its tool calls. */
interface Group {
  /** The id of the entry in the conversation that the group belongs to: a user message or an attempt. */
  readonly entry: string;
  /** Id of the tool call. Null for a whole turn or for all tool calls of a reply. */
  readonly callId: string | null;
}

/** The tokens of a group in a request. */
interface Share {
  readonly group: Group;
  tokens: number;
  /** Expected cache read tokens of this group. */
  read: number;
  /** Expected cache read tokens of everything before this group. */
  readonly readBefore: number;
}

type GroupPrice = readonly [group: Group, priced: ExclusionPrice];

/** An excluded group, with the tokens of including it again. `messageId`: id of the excluded message. */
interface ExcludedShare {
  readonly group: Group;
  readonly messageId: string;
  readonly tokens: number;
}

/**
 * Returns what excluding or including each group would change. Keys are user message ids for turns, and attempt ids for
 * the tool calls of replies. Omits the turn that is being answered. Also omits groups that are not in the request,
 * unless the user excluded them.
 */
export function exclusionPrices(composed: ComposedRequest, state: ChatState): Readonly<Record<string, ExclusionPrices>> {
  const { prompt, size, forecast } = composed;
  const groups = groupsOf(state);
  const places = new Map(openMessages(state).map(({ id }, at) => [id, at]));
  const shares = new Map<string, Share>();
  /** The blocks of the request: place of the message in the conversation, and cache read tokens before the block. */
  const held: { readonly place: number; readonly readBefore: number }[] = [];
  let read = 0;
  const expected = forecast === null ? [] : blockParts(forecast);
  for (const [at, block] of promptBlocks(prompt).entries()) {
    const served = expected[at]?.read ?? 0;
    const message = messageBehind(block) ?? '';
    held.push({ place: places.get(message) ?? -1, readBefore: read });
    for (const group of groups.get(message)?.(block) ?? []) {
      const share = shares.get(keyOf(group)) ?? { group, tokens: 0, read: 0, readBefore: read };
      share.tokens += block.tokens;
      share.read += served;
      shares.set(keyOf(group), share);
    }
    read += served;
  }
  const isMarked = marksOf(state);
  const canWait = keepsLayout(state.config);
  const again = (tokens: number): number | null => (forecast === null ? null : Math.max(0, Math.round(tokens)));
  const leaving = [...shares.values()].slice(-MOST_PRICED).map(({ group, tokens, read: own, readBefore }): GroupPrice => {
    const figures = { tokens: scaledTokens(tokens, size), writtenAgain: again(read - readBefore - own) };
    return [group, { state: isMarked(group) ? 'leaving' : 'sent', canWait, ...withCosts(figures, false, composed) }];
  });
  const out = missingFrom(composed, state).filter(({ group }) => !shares.has(keyOf(group)));
  const back = out.slice(-MOST_PRICED).map(({ group, messageId, tokens }): GroupPrice => {
    const place = places.get(messageId) ?? Infinity;
    const readBefore = held.find((each) => each.place > place)?.readBefore ?? read;
    const figures = { tokens: scaledTokens(tokens, size), writtenAgain: again(read - readBefore) };
    return [group, { state: 'out', canWait: false, ...withCosts(figures, true, composed) }];
  });
  return byEntry([...leaving, ...back]);
}

function keyOf({ entry, callId }: Group): string {
  return callId === null ? entry : `${entry}/${callId}`;
}

/** Groups the prices by entry of the conversation. The price of a reply contains the prices of its single calls. */
function byEntry(prices: readonly GroupPrice[]): Readonly<Record<string, ExclusionPrices>> {
  const found = new Map<string, ExclusionPrices>();
  for (const [{ entry, callId }, price] of prices) {
    if (callId === null) {
      found.set(entry, price);
    }
  }
  for (const [{ entry, callId }, price] of prices) {
    const whole = found.get(entry);
    if (callId !== null && whole !== undefined) {
      found.set(entry, { ...whole, calls: { ...whole.calls, [callId]: price } });
    }
  }
  return Object.fromEntries(found);
}

/** Returns the turns and tool calls that the user excluded and that are not in the request. */
function missingFrom({ excludedTurns, forgotten }: ComposedRequest, state: ChatState): readonly ExcludedShare[] {
  const replies = attemptsOfReplies(state);
  return [
    ...excludedTurns.map(({ messageId, tokens }) => ({ group: { entry: messageId, callId: null }, messageId, tokens })),
    ...forgotten
      .filter(({ messageId }) => state.excluded.has(messageId) || state.excludedCalls.has(messageId))
      .map(({ messageId, callId, tokens }) => ({
        group: { entry: replies.get(messageId) ?? messageId, callId: callId ?? null },
        messageId,
        tokens,
      })),
  ];
}

/** Returns a function that tests whether the user excluded a group. The id of a reply's entry is its attempt's id. */
function marksOf(state: ChatState): (group: Group) => boolean {
  const replies = attemptsOfReplies(state);
  const entryOf = (id: string): string => replies.get(id) ?? id;
  const whole = new Set([...state.excluded.keys()].map(entryOf));
  const single = new Map([...state.excludedCalls].map(([id, calls]) => [entryOf(id), calls] as const));
  return ({ entry, callId }) => whole.has(entry) || (callId !== null && single.get(entry)?.has(callId) === true);
}

function attemptsOfReplies(state: ChatState): ReadonlyMap<string, string> {
  return new Map(
    openMessages(state).flatMap((message) => (message.role === 'assistant' ? [[message.id, message.attemptId] as const] : [])),
  );
}

/** Adds the costs to the figures. `isBack`: the user includes the group again, so its tokens cost, too. */
function withCosts(
  figures: Pick<ExclusionPrice, 'tokens' | 'writtenAgain'>,
  isBack: boolean,
  { model, size }: Pick<ComposedRequest, 'model' | 'size'>,
): Omit<ExclusionPrice, 'state' | 'canWait'> {
  if (model.prices === null) {
    return { ...figures, cost: null, saving: null };
  }
  const { tokens, writtenAgain } = figures;
  const { input, cacheRead, cacheWrite5m } = ratesOf(model.prices, size.tokens);
  const { kind } = model.capabilities.cache;
  // Only a cache with breakpoints has a separate price for writing.
  const write = kind === 'marks' ? cacheWrite5m : input;
  const own = isBack ? tokens * write : 0;
  return {
    ...figures,
    cost: writtenAgain === null ? null : (writtenAgain * Math.max(0, write - cacheRead) + own) / PER_MILLION,
    saving: (tokens * (kind === 'none' ? input : cacheRead)) / PER_MILLION,
  };
}

/** Returns, by message id, a function that finds the groups (turn, tool calls) of a block in that message. */
function groupsOf(state: ChatState): ReadonlyMap<string, (block: Block) => readonly Group[]> {
  const messages = openMessages(state);
  const groups = new Map<string, (block: Block) => readonly Group[]>();
  let [turn, reply]: [Group | null, AssistantMessage | null] = [null, null];
  for (const message of messages.slice(0, endOfConcluded(messages))) {
    if (message.role === 'user') {
      turn = { entry: message.id, callId: null };
    } else if (message.role === 'assistant') {
      reply = message;
    }
    const ofTurn = turn === null ? [] : [turn];
    const calls =
      message.role === 'user' || reply === null ? null : { entry: reply.attemptId, ids: toolCallsOf(reply).map(({ id }) => id) };
    groups.set(message.id, ({ part }) => (calls === null || part.type === 'text' ? ofTurn : [...ofTurn, ...callGroups(part, calls)]));
  }
  return groups;
}

/** Returns the groups of a tool call or result. The only call of a reply has no group of its own. */
function callGroups(part: WirePart, { entry, ids }: { readonly entry: string; readonly ids: readonly string[] }): readonly Group[] {
  const callId = part.type === 'toolCall' ? part.id : part.type === 'toolResult' ? part.callId : null;
  const single = callId !== null && ids.length > 1 ? [{ entry, callId }] : [];
  return ids.length === 0 ? [] : [{ entry, callId: null }, ...single];
}
