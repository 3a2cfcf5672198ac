import { PER_MILLION, ratesOf } from '../model/price.js';
import { endOfConcluded } from '../chat/excludedParts.js';
import { toolCallsOf, type AssistantMessage, type SentMessage } from '../chat/message/message.js';
import type { ChatState } from '../chat/state.js';
import { UntilChange } from '../chat/untilChange.js';
import { openMessages } from '../compaction/range.js';
import type { Block, WirePart } from '../model/block.js';
import { readEnds } from '../model/inputParts.js';
import type { RepeatedResult } from '../request/adapt/repeats.js';
import { messageBehind } from '../request/gather.js';
import { promptBlocks } from '../model/prompt.js';
import type { ComposedRequest } from './compose.js';
import { keepsLayout } from './relayout.js';
import { scaledTokens } from '../record/requestSize.js';
import { sameStart } from '../same.js';

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

/** The blocks of a group in a request. */
interface Share {
  readonly group: Group;
  readonly tokens: number;
  /** The indexes of the blocks. */
  readonly at: readonly number[];
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
  const chat = CHATS.of(state, () => groupedChat(state));
  const { shares, places: placesOfBlocks } = sharesOf(promptBlocks(prompt), chat);
  /** The tokens read from the cache up to the end of each block. */
  const reads = forecast === null ? [] : readEnds(forecast.ends, forecast.parts);
  const readBefore = (at: number): number => reads[at - 1] ?? 0;
  const read = reads.at(-1) ?? 0;
  const isMarked = marksOf(state, chat);
  const canWait = keepsLayout(state.config);
  const again = (tokens: number): number | null => (forecast === null ? null : Math.max(0, Math.round(tokens)));
  const grownWithout = growth(composed);
  const leaving = [...shares.values()].slice(-MOST_PRICED).map(({ group, tokens: held, at: places }): GroupPrice => {
    const tokens = Math.max(0, held - grownWithout(places));
    const own = places.reduce((sum, at) => sum + readBefore(at + 1) - readBefore(at), 0);
    const figures = { tokens: scaledTokens(tokens, size), writtenAgain: again(read - readBefore(places[0] ?? 0) - own) };
    return [group, { state: isMarked(group) ? 'leaving' : 'sent', canWait, ...withCosts(figures, false, composed) }];
  });
  const out = missingFrom(composed, state, chat).filter(({ group }) => !shares.has(keyOf(group)));
  const back = out.slice(-MOST_PRICED).map(({ group, messageId, tokens }): GroupPrice => {
    const place = chat.places.get(messageId) ?? Infinity;
    const next = placesOfBlocks.findIndex((each) => each > place);
    const figures = { tokens: scaledTokens(tokens, size), writtenAgain: again(read - (next === -1 ? read : readBefore(next))) };
    return [group, { state: 'out', canWait: false, ...withCosts(figures, true, composed) }];
  });
  return byEntry([...leaving, ...back]);
}

/** Returns the tokens by which results grow without these blocks: pointers to them are then sent in full. */
function growth({ prompt, repeated }: Pick<ComposedRequest, 'prompt' | 'repeated'>): (places: readonly number[]) => number {
  const blocks = promptBlocks(prompt);
  const pointers = new Map<string | null, RepeatedResult[]>();
  for (const pointer of repeated) {
    const ofSource = pointers.get(pointer.source) ?? [];
    ofSource.push(pointer);
    pointers.set(pointer.source, ofSource);
  }
  return (places) => {
    const keys = pointers.size === 0 ? [] : places.map((at) => blocks[at]?.key ?? '');
    const out = new Set(keys);
    // The first pointer is sent in full, and the others point to it.
    return keys.reduce((sum, key) => sum + (pointers.get(key)?.find((pointer) => !out.has(pointer.key))?.saved ?? 0), 0);
  };
}

/** What prices need of a chat. */
interface GroupedChat {
  /** The place of each message in the conversation, by message id. */
  readonly places: ReadonlyMap<string, number>;
  /** The attempts of replies, by message id. */
  readonly replies: ReadonlyMap<string, string>;
  /** Returns the groups (turn, tool calls) of a block, by message id. */
  readonly groups: ReadonlyMap<string, (block: Block) => readonly Group[]>;
  /** The shares of the groups in the last request. */
  last: RequestShares;
}

interface RequestShares {
  readonly blocks: readonly Block[];
  readonly shares: ReadonlyMap<string, Share>;
  /** The place in the conversation of each block's message; -1 for a block outside the chat. */
  readonly places: readonly number[];
}

/** Cached, because the prices are needed at each key press. */
const CHATS = new UntilChange<GroupedChat>();

function groupedChat(state: ChatState): GroupedChat {
  const messages = openMessages(state);
  return {
    places: new Map(messages.map(({ id }, at) => [id, at])),
    replies: new Map(messages.flatMap((message) => (message.role === 'assistant' ? [[message.id, message.attemptId] as const] : []))),
    groups: groupsOf(messages),
    last: { blocks: [], shares: new Map(), places: [] },
  };
}

/** Returns the shares of a request. At a key press, only blocks outside the chat change, such as that of the draft. */
function sharesOf(blocks: readonly Block[], chat: GroupedChat): RequestShares {
  const { last, places } = chat;
  const same = sameStart(last.blocks, blocks);
  const isOfChat = (block: Block): boolean => places.has(messageBehind(block) ?? '');
  if (last.blocks.slice(same).some(isOfChat) || blocks.slice(same).some(isOfChat)) {
    chat.last = readShares(blocks, chat);
  }
  return chat.last;
}

function readShares(blocks: readonly Block[], { places, groups }: GroupedChat): RequestShares {
  const shares = new Map<string, { group: Group; tokens: number; at: number[] }>();
  const found = blocks.map((block, at) => {
    const message = messageBehind(block) ?? '';
    for (const group of groups.get(message)?.(block) ?? []) {
      const share = shares.get(keyOf(group)) ?? { group, tokens: 0, at: [] };
      share.tokens += block.tokens;
      share.at.push(at);
      shares.set(keyOf(group), share);
    }
    return places.get(message) ?? -1;
  });
  return { blocks, shares, places: found };
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
function missingFrom({ excludedTurns, forgotten }: ComposedRequest, state: ChatState, { replies }: GroupedChat): readonly ExcludedShare[] {
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
function marksOf(state: ChatState, { replies }: GroupedChat): (group: Group) => boolean {
  const entryOf = (id: string): string => replies.get(id) ?? id;
  const whole = new Set([...state.excluded.keys()].map(entryOf));
  const single = new Map([...state.excludedCalls].map(([id, calls]) => [entryOf(id), calls] as const));
  return ({ entry, callId }) => whole.has(entry) || (callId !== null && single.get(entry)?.has(callId) === true);
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
function groupsOf(messages: readonly SentMessage[]): GroupedChat['groups'] {
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
