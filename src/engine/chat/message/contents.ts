import type { SentMessage } from './message.js';
import type { Part, ToolResultContent } from '../../model/part.js';

/** Returns the parts of messages, with each tool result replaced by its content. Only these parts refer to blobs. */
export function contentsOf(messages: readonly SentMessage[]): readonly (Part | ToolResultContent)[] {
  const contents: (Part | ToolResultContent)[] = [];
  for (const message of messages) {
    if (message.role === 'tool-results') {
      contents.push(...message.parts.flatMap((part) => part.content));
    } else {
      contents.push(...message.parts);
    }
  }
  return contents;
}
