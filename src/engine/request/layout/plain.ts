import { filePair, fromUser, withoutLeftOut, withPicks, type Layout } from './layout.js';
import { messagesEnd, shortWishes, systemEnd } from './places.js';

/**
 * The plain layout: tools; system prompt; the files as a pair of messages; the summary of what was said; the conversation, with what
 * was picked for its newest message before that. It is the easiest to read. With breakpoints at the end of the request, before what
 * was picked, and at the end of the system prompt, the next request reads this one from the cache while nothing in front of its end
 * changes; a file that changes must miss all that stands behind the files.
 */
export const plain: Layout = {
  name: 'plain',
  lay: ({ tools, system, files, picks, checkpoint, conversation, instruction }) => {
    const said = withPicks(withoutLeftOut(conversation), picks);
    const before = [...filePair(files), ...fromUser(checkpoint)];
    // What was picked leaves with the next message: all before it can be read then.
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
