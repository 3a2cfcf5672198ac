import type { Part, SentMessage, ToolResultContent } from './message.js';

/** The parts of messages, with each tool result replaced by its content. These are all the places that can name a blob. */
export function contentsOf(messages: readonly SentMessage[]): readonly (Part | ToolResultContent)[] {
  return messages.flatMap((message): readonly (Part | ToolResultContent)[] =>
    message.role === 'tool-results' ? message.parts.flatMap((part) => part.content) : message.parts,
  );
}
