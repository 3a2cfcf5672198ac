import type { Part, SentMessage, ToolResultContent } from './message.js';

/** The parts of messages, and in the place of results what these hold: where the blobs of a conversation are named. */
export function contentsOf(messages: readonly SentMessage[]): readonly (Part | ToolResultContent)[] {
  return messages.flatMap((message): readonly (Part | ToolResultContent)[] =>
    message.role === 'tool-results' ? message.parts.flatMap((part) => part.content) : message.parts,
  );
}
