import { type AssistantMessage, isConversation, type Message, messageText, toolCallsOf } from '../../engine/chat/message/message.js';
import type { ChatState } from '../../engine/chat/state.js';
import { messagesOf, type Timeline, type TimelineItem } from '../../engine/chat/timeline.js';
import { stepFiles } from '../../engine/chat/writtenFiles.js';
import type { UsableItem, UsingReply } from '../../engine/context/use/itemUses.js';
import type { QuotableText } from '../../engine/context/use/quotes.js';
import { type ContextItemBase, itemKey } from '../../engine/record/item.js';
import type { ManifestBlock, ManifestContent } from '../../engine/record/manifest.js';
import { contextKey } from '../../engine/request/gather.js';
import { offeredName } from '../../engine/tools/serverName.js';
import { parseSelectionName } from '../context/selectionName.js';

/** Returns the items that a request held. Their texts are known unless the log stores them apart (over 16 KB). */
export function usableItems({ blocks, context }: Pick<ManifestContent, 'blocks' | 'context'>): readonly UsableItem[] {
  const texts = new Map(blocks.flatMap((block) => (block.item === null ? [] : [[contextKey(block.item), block] as const])));
  return context.flatMap(({ item, leftOut }) => {
    const key = itemKey(item);
    const isQuotable = item.type === 'rule' || item.type === 'reference' || item.type === 'skill';
    return leftOut === null ? [{ key, type: item.type, name: nameOf(item), text: isQuotable ? ownText(texts.get(key)) : null }] : [];
  });
}

function nameOf(item: ContextItemBase): string {
  switch (item.type) {
    case 'file':
      return parseSelectionName(item.name).path;
    case 'tool':
      return offeredName(item);
    default:
      return item.name;
  }
}

const ownTexts = new WeakMap<ManifestBlock, QuotableText>();

/** Returns the text of an item without Loupe's heading, which ends at the first empty line. */
function ownText(block: ManifestBlock | undefined): QuotableText | null {
  const content = block?.content ?? null;
  if (block === undefined || content === null || !('inline' in content) || content.inline.type !== 'text') {
    return null;
  }
  const { text } = content.inline;
  const known = ownTexts.get(block) ?? { text: text.slice(text.indexOf('\n\n') + 1) };
  ownTexts.set(block, known);
  return known;
}

/** Returns what a turn wrote and changed. Null unless the reply of this attempt ended a turn. */
export function turnOf(attemptId: string, { timeline, runs }: Pick<ChatState, 'timeline' | 'runs'>): UsingReply | null {
  const end = timeline.findLastIndex((item) => isReply(item) && item.message.attemptId === attemptId);
  const last = timeline[end];
  if (last === undefined || !isReply(last) || toolCallsOf(last.message).length > 0) {
    return null;
  }
  const start = timeline.findLastIndex((item, at) => at < end && item.kind === 'message' && item.message.role === 'user');
  const turn = timeline.slice(start + 1, end + 1);
  return { ...writtenIn(messagesOf(turn)), edited: editedIn(turn, runs) };
}

function isReply(item: TimelineItem): item is TimelineItem & { readonly message: AssistantMessage } {
  return item.kind === 'message' && item.message.role === 'assistant';
}

/** Returns the texts and tool calls of messages by the user and the model. */
export function writtenIn(messages: readonly Message[]): Omit<UsingReply, 'edited'> {
  return {
    texts: messages.filter(isConversation).map(messageText),
    calls: messages.flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message) : [])),
  };
}

/** Returns the paths of the files that tools changed in steps whose results are in this part of a chat. */
export function editedIn(timeline: Timeline, runs: ChatState['runs']): readonly string[] {
  return timeline.flatMap((item) => {
    const run = item.kind === 'message' && item.message.role === 'tool-results' ? runs.get(item.runId ?? '') : undefined;
    const files = run === undefined || item.kind !== 'message' ? [] : stepFiles(run, item.message.id);
    return files.flatMap((file) => (file.kind === 'written' ? [file.path] : []));
  });
}
