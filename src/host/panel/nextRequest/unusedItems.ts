import type { ChatState } from '../../../engine/chat/state.js';
import { type AssistantMessage, messageText, toolCallsOf, type Message } from '../../../engine/chat/message/message.js';
import { lastMessage, messagesOf } from '../../../engine/chat/timeline.js';
import { itemKey, type SessionContextItem } from '../../../engine/record/item.js';
import { contextRecordsOf } from '../../../engine/request/rebuild.js';
import { promptBlocks } from '../../../engine/model/prompt.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import { offeredName } from '../../../engine/tools/serverName.js';
import { UNUSED_REPLIES } from '../../../protocol/panel/manager.js';
import type { UnusedItems, UnusedServer } from '../../../protocol/panel/nextRequest.js';
import { parseSelectionName } from '../../context/selectionName.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import { lastCalls } from '../../../engine/next/lastCalls.js';
import { isHeld, toolsByServer, type ToolRecord } from '../../../engine/record/toolRecords.js';

/** The text of the latest messages. Cached by the last message, because the preview at each key press needs it. */
interface MentionCache {
  readonly text: string;
  readonly byKey: Map<string, boolean>;
}

const known = new WeakMap<Message, MentionCache>();

type UnusedItemsChat = Pick<ChatState, 'timeline' | 'attempts' | 'context'>;

export function unusedItems(composed: ComposedRequest, state: UnusedItemsChat): UnusedItems {
  const keys = unusedKeys(state);
  return { keys, tokens: tokensOf(keys, composed), replies: UNUSED_REPLIES };
}

function tokensOf(keys: readonly string[], { prompt }: ComposedRequest): number {
  return sumTokens(promptBlocks(prompt).filter(({ item }) => item !== null && keys.includes(item)));
}

/**
 * Returns the keys of files, references and skills that the user added, that were in the request `UNUSED_REPLIES`
 * replies ago, and that no message named since. Empty while the loaded part of the chat has fewer replies.
 */
export function unusedKeys(state: UnusedItemsChat): readonly string[] {
  const first = firstOfLatest(state.timeline);
  const last = lastMessage(state.timeline);
  if (first === undefined || last === undefined) {
    return [];
  }
  const named = known.get(last) ?? { text: textSince(first, state.timeline), byKey: new Map<string, boolean>() };
  known.set(last, named);
  const attempt = state.attempts.get(first.attemptId);
  const held = new Set(
    (attempt === undefined ? null : contextRecordsOf(attempt, state.attempts))?.flatMap(({ item, leftOut }) =>
      leftOut === null ? [itemKey(item)] : [],
    ),
  );
  return [...state.context].flatMap(([key, item]) => (isOffered(item) && held.has(key) && !isNamed(key, item, named) ? [key] : []));
}

function textSince(first: Message, timeline: ChatState['timeline']): string {
  const messages = messagesOf(timeline);
  return messages.slice(messages.indexOf(first)).map(messageText).join('\n').toLowerCase();
}

/** Whether Loupe can report an item as unused. Never true for rules, which have an effect without being named. */
function isOffered({ type, includeMode }: SessionContextItem): boolean {
  return includeMode === 'manual' && (type === 'file' || type === 'reference' || type === 'skill');
}

/** Whether the text contains the item's name; for a file, the name without folders and extension. */
function isNamed(key: string, { type, name }: SessionContextItem, { text, byKey }: MentionCache): boolean {
  const found = byKey.get(key) ?? text.includes(type === 'file' ? stemOf(name) : name.toLowerCase());
  byKey.set(key, found);
  return found;
}

function stemOf(name: string): string {
  const { path } = parseSelectionName(name);
  const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return file.replace(/(?<=.)\.[^.]*$/, '');
}

/**
 * Returns the servers whose tools are in the next request and in the request `UNUSED_REPLIES` replies ago, but were not
 * called since. Empty while the loaded part of the chat has fewer replies.
 */
export function unusedServers(composed: ComposedRequest, state: Omit<UnusedItemsChat, 'context'>): readonly UnusedServer[] {
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
