import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { type AssistantMessage, toolCallsOf, type Message } from '../../../engine/chat/message/message.js';
import { lastMessage, messagesOf } from '../../../engine/chat/timeline.js';
import { itemUses, type UsableItem } from '../../../engine/context/use/itemUses.js';
import { itemKey, type SessionContextItem } from '../../../engine/record/item.js';
import { contextRecordsOf, manifestContentOf, NO_CONTENT } from '../../../engine/request/rebuild.js';
import { promptBlocks } from '../../../engine/model/prompt.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import { offeredName } from '../../../engine/tools/serverName.js';
import { UNUSED_REPLIES } from '../../../protocol/panel/manager.js';
import type { UnusedItems, UnusedServer } from '../../../protocol/panel/nextRequest.js';
import { editedIn, usableItems, writtenIn } from '../../request/usableItems.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import { lastCalls } from '../../../engine/next/lastCalls.js';
import { isHeld, toolsByServer, type ToolRecord } from '../../../engine/record/toolRecords.js';

/** The keys of the items that messages used. Cached, because the preview at each key press needs them. */
interface KnownUses {
  readonly items: readonly UsableItem[];
  readonly keys: ReadonlySet<string>;
}

/** Uses by one message. */
const usesOfMessages = new WeakMap<Message, KnownUses>();
/** Uses since the oldest of the latest replies, by the last message. */
const usesUpTo = new WeakMap<Message, KnownUses>();
const heldBy = new WeakMap<AttemptState, readonly UsableItem[]>();

type UnusedItemsChat = Pick<ChatState, 'timeline' | 'runs' | 'attempts' | 'context'>;

export function unusedItems(composed: ComposedRequest, state: UnusedItemsChat): UnusedItems {
  const keys = unusedKeys(state);
  return { keys, tokens: tokensOf(keys, composed), replies: UNUSED_REPLIES };
}

function tokensOf(keys: readonly string[], { prompt }: ComposedRequest): number {
  return sumTokens(promptBlocks(prompt).filter(({ item }) => item !== null && keys.includes(item)));
}

/**
 * Returns the keys of files, references and skills that the user added, that were in the request `UNUSED_REPLIES`
 * replies ago, and that no message used since. Empty while the loaded part of the chat has fewer replies.
 */
export function unusedKeys(state: UnusedItemsChat): readonly string[] {
  const first = firstOfLatest(state.timeline);
  const attempt = state.attempts.get(first?.attemptId ?? '');
  if (first === undefined || attempt === undefined) {
    return [];
  }
  const held = heldBy.get(attempt) ?? usableItems(manifestContentOf(attempt, state.attempts) ?? NO_CONTENT);
  heldBy.set(attempt, held);
  // Other items differ from request to request, and would make a search of all messages necessary after each turn.
  const offered = held.filter(({ key }) => isOffered(state.context.get(key)));
  const used = usedSince(first, offered, state);
  return offered.flatMap(({ key }) => (used.has(key) ? [] : [key]));
}

/** Whether Loupe can report an item as unused. Never true for rules, which have an effect without being named. */
function isOffered(item: SessionContextItem | undefined): boolean {
  return item?.includeMode === 'manual' && (item.type === 'file' || item.type === 'reference' || item.type === 'skill');
}

/** Returns the keys of the items that the user or the model used since a message. */
function usedSince(first: Message, items: readonly UsableItem[], { timeline, runs }: UnusedItemsChat): ReadonlySet<string> {
  const last = lastMessage(timeline) ?? first;
  return knownKeys(usesUpTo, last, items, () => {
    const since = timeline.slice(timeline.findLastIndex((item) => item.kind === 'message' && item.message === first));
    const edited = itemUses(items, { texts: [], calls: [], edited: editedIn(since, runs) }).keys();
    return [...edited, ...messagesOf(since).flatMap((message) => [...usedIn(message, items)])];
  });
}

function usedIn(message: Message, items: readonly UsableItem[]): ReadonlySet<string> {
  return knownKeys(usesOfMessages, message, items, () => itemUses(items, { ...writtenIn([message]), edited: [] }).keys());
}

function knownKeys(
  cache: WeakMap<Message, KnownUses>,
  message: Message,
  items: readonly UsableItem[],
  find: () => Iterable<string>,
): ReadonlySet<string> {
  const known = cache.get(message);
  const keys = known !== undefined && isSameItems(known.items, items) ? known.keys : new Set(find());
  cache.set(message, { items, keys });
  return keys;
}

function isSameItems(before: readonly UsableItem[], now: readonly UsableItem[]): boolean {
  return (
    before === now ||
    (before.length === now.length && before.every(({ key, text }, at) => key === now[at]?.key && text?.text === now[at].text?.text))
  );
}

/**
 * Returns the servers whose tools are in the next request and in the request `UNUSED_REPLIES` replies ago, but were not
 * called since. Empty while the loaded part of the chat has fewer replies.
 */
export function unusedServers(composed: ComposedRequest, state: Pick<UnusedItemsChat, 'timeline' | 'attempts'>): readonly UnusedServer[] {
  const attempt = state.attempts.get(firstOfLatest(state.timeline)?.attemptId ?? '');
  if (attempt === undefined) {
    return [];
  }
  const before = toolsByServer(contextRecordsOf(attempt, state.attempts) ?? []);
  const { ago } = lastCalls(state);
  const isCalled = ({ item }: ToolRecord): boolean => (ago.get(offeredName(item)) ?? Infinity) < UNUSED_REPLIES;
  const isUnused = (tools: readonly ToolRecord[], name: string): boolean =>
    tools.some(isHeld) && before.get(name)?.some(isHeld) === true && !tools.some(isCalled);
  return [...toolsByServer(composed.records)]
    .filter(([name, tools]) => isUnused(tools, name))
    .map(([name, tools]) => ({
      name,
      tokens: tokensOf(
        tools.map(({ item }) => itemKey(item)),
        composed,
      ),
    }));
}

/** Returns the oldest of the last `UNUSED_REPLIES` replies; undefined when there are fewer replies. */
function firstOfLatest(timeline: ChatState['timeline']): AssistantMessage | undefined {
  let replies = 0;
  const isFirst = (message: Message): boolean => {
    replies += message.role === 'assistant' && toolCallsOf(message).length === 0 ? 1 : 0;
    return replies === UNUSED_REPLIES;
  };
  const item = timeline.findLast((each) => each.kind === 'message' && isFirst(each.message));
  return item?.kind === 'message' && item.message.role === 'assistant' ? item.message : undefined;
}
