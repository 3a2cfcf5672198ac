import type { McpPromptMessage } from '../../../tools/mcp/mcpEntries.js';

/** A prompt as the text of a message. */
export interface PromptText {
  readonly text: string;
  /** What of it is no text, in words. */
  readonly leftOut: readonly string[];
}

const SPEAKERS = { user: 'User', assistant: 'Assistant' } as const;

/** The messages of a prompt as one text, which the user sends. A conversation names who speaks. */
export function promptMessage(messages: readonly McpPromptMessage[]): PromptText {
  const isConversation = messages.some(({ role }) => role === 'assistant');
  const texts = messages.flatMap((message) => {
    if (!('text' in message) || message.text === '') {
      return [];
    }
    return [isConversation ? `${SPEAKERS[message.role]}: ${message.text}` : message.text];
  });
  const leftOut = messages.flatMap((message) => ('noText' in message ? [message.noText] : []));
  return { text: texts.join('\n\n'), leftOut };
}
