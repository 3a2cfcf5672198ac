import { filePair, fromUser, withoutExcluded, withPicks, type Layout } from './layout.js';
import { messagesEnd, shortWishes, systemEnd } from './breakpointPlaces.js';

/**
 * The order that is easiest to read: tools, system prompt, files as a pair of messages, summary, conversation. The
 * picks come before the newest message. Breakpoints: the end of the request, before the picks, and the end of the
 * system prompt. Cost: when a file changes, everything after the files is uncached.
 */
export const plain: Layout = {
  name: 'plain',
  lay: ({ tools, system, files, pages, picks, checkpoint, conversation, instruction }) => {
    const said = withPicks(withoutExcluded(conversation), picks);
    const before = [...filePair(pages), ...filePair(files), ...fromUser(checkpoint)];
    // The next message has other picks. Its request can still read everything before the picks from the cache.
    const picked = said.findIndex(({ kind }) => kind === 'blocks');
    const last = picked === -1 ? -1 : before.length + picked - 1;
    return {
      tools,
      system,
      messages: [...before, ...said, ...fromUser(instruction)],
      wishes: (prompt, ends) =>
        shortWishes(messagesEnd(prompt, prompt.messages.length), last === -1 ? -1 : (ends[last] ?? 0) - 1, systemEnd(prompt)),
    };
  },
};
