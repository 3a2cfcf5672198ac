import { setImmediate } from 'node:timers/promises';
import { excludedParts } from '../../../engine/chat/excludedParts.js';
import type { SentMessage } from '../../../engine/chat/message/message.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { openMessages } from '../../../engine/compaction/range.js';
import type { TokenCounter } from '../../../engine/ports.js';
import { measureParts } from '../../../engine/request/blockFactory.js';
import type { ResultTexts } from '../../../engine/request/resultText.js';
import { forgottenReplies, heldParts, toolMemoryOf } from '../../../engine/request/toolMemory.js';
import type { InputReader } from './readInputs.js';

/** The tokens of each message by the model's counter, without the tokens between messages. */
export interface MessageTokens {
  readonly tokens: readonly number[];
  readonly results: ResultTexts;
  readonly counter: TokenCounter;
}

/**
 * Returns the tokens of messages by the chat's model, and the texts of large tool results. Content that the next
 * request drops or the user excluded has 0 tokens.
 */
export async function weigh(
  state: ChatState,
  messages: readonly SentMessage[],
  reader: Pick<InputReader, 'counter' | 'factory' | 'blobs'>,
): Promise<MessageTokens> {
  const counter = await reader.counter(state);
  const factory = reader.factory(counter);
  const results = await reader.blobs.results(messages);
  await measureParts(messages, results, factory, setImmediate);
  const open = openMessages(state);
  const left = excludedParts({ pinned: [], messages: open }, state);
  const forgotten = forgottenReplies(open, toolMemoryOf(state), false);
  const tokens = heldParts(messages, forgotten, left.calls).map(({ id: messageId, role, parts }) => {
    const sent = left.messages.has(messageId) ? [] : parts;
    const blocks = sent.map(({ index, part }) => factory.messageBlock({ messageId, index, role, part }, results));
    return blocks.reduce((sum, block) => sum + (block?.tokens ?? 0), 0);
  });
  return { tokens, results, counter };
}
