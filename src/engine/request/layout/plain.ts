import { filePair, fromUser, type Layout } from './layout.js';

/** The plain layout: tools; system prompt; the files as a pair of messages; the summary of what was said; the conversation. */
export const plain: Layout = {
  name: 'plain',
  place: ({ tools, system, files, checkpoint, conversation, instruction }) => ({
    tools,
    system,
    messages: [...filePair(files), ...fromUser(checkpoint), ...conversation, ...fromUser(instruction)],
  }),
};
