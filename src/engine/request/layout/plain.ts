import { filePair, type Layout } from './layout.js';

/** The plain layout: tools; system prompt; the files as a pair of messages; the conversation. */
export const plain: Layout = {
  name: 'plain',
  place: ({ tools, system, files, conversation }) => ({ tools, system, messages: [...filePair(files), ...conversation] }),
};
