import { findMessage } from '../../engine/chat/branch.js';
import { contentText } from '../../engine/chat/message/message.js';
import type { ChatState } from '../../engine/chat/state.js';
import { failure } from '../../engine/errors.js';
import type { Blobs } from '../../storage/blobs.js';

export interface ToolCallKey {
  readonly messageId: string;
  readonly callId: string;
}

/** Returns a full tool result. Rejects with `storage` when it is unreadable, or `invalidInput` when it is missing. */
export async function toolResultText(state: ChatState, { messageId, callId }: ToolCallKey, blobs: Pick<Blobs, 'get'>): Promise<string> {
  const message = findMessage(state, messageId);
  const part = message?.role === 'tool-results' ? message.parts.find((each) => each.callId === callId) : undefined;
  if (part === undefined) {
    throw failure('chat.resultGone');
  }
  const texts = part.content.map(async (item) =>
    item.type === 'blob' ? Buffer.from(await blobs.get(item.blob)).toString('utf8') : contentText(item),
  );
  return (await Promise.all(texts)).join('\n');
}
