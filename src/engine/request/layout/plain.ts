import { filePair, fromUser, type Layout } from './layout.js';
import { messagesEnd, shortWishes, systemEnd } from './places.js';

/**
 * The plain layout: tools; system prompt; the files as a pair of messages; the summary of what was said; the conversation. It is
 * the easiest to read. With breakpoints at the end of the request and of the system prompt, the next request reads this one
 * from the cache while nothing in front of its end changes; a file that changes must miss all that stands behind the files.
 */
export const plain: Layout = {
  name: 'plain',
  lay: ({ tools, system, files, checkpoint, conversation, instruction }) => ({
    tools,
    system,
    messages: [...filePair(files), ...fromUser(checkpoint), ...conversation, ...fromUser(instruction)],
    wishes: (prompt) => shortWishes(messagesEnd(prompt, prompt.messages.length), systemEnd(prompt)),
  }),
};
