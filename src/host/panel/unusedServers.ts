import { toolCallsOf, type Message } from '../../engine/chat/message.js';
import type { ChatState } from '../../engine/chat/state.js';
import { contextRecordsOf } from '../../engine/request/rebuild.js';
import { offeredName } from '../../engine/tools/serverName.js';
import { UNUSED_REPLIES } from '../../protocol/manager.js';
import type { Composed } from '../request/composed.js';
import { lastCalls } from './lastCalls.js';
import { isHeld, toolsByServer, type ToolRecord } from './toolRecords.js';

type Chat = Pick<ChatState, 'timeline' | 'attempts'>;

/**
 * The names of the servers whose tools the next request holds, as the request of so many replies ago did, and none of whose tools was
 * called since. None while the chat, or what is loaded of it, has fewer replies.
 */
export function unusedServers({ records }: Pick<Composed, 'records'>, state: Chat): readonly string[] {
  const first = firstOfLatest(state);
  const attempt = first === null ? undefined : state.attempts.get(first);
  if (attempt === undefined) {
    return [];
  }
  const before = toolsByServer(contextRecordsOf(attempt, state.attempts) ?? []);
  const { ago } = lastCalls(state);
  const isCalled = ({ item }: ToolRecord): boolean => (ago.get(offeredName(item)) ?? Infinity) < UNUSED_REPLIES;
  return [...toolsByServer(records)].flatMap(([name, tools]) =>
    tools.some(isHeld) && before.get(name)?.some(isHeld) === true && !tools.some(isCalled) ? [name] : [],
  );
}

/** The attempt of the first of the latest replies; null while there are fewer. */
function firstOfLatest({ timeline }: Chat): string | null {
  const replies = timeline.flatMap((item) => (item.kind === 'message' && isReply(item.message) ? [item.message] : []));
  return replies.at(-UNUSED_REPLIES)?.attemptId ?? null;
}

function isReply(message: Message): message is Extract<Message, { readonly role: 'assistant' }> {
  return message.role === 'assistant' && toolCallsOf(message).length === 0;
}
