import { filePair, fromUser, inSystem, withoutExcluded, withTurnContents, type Layout } from './layout.js';
import { messagesEnd, shortWishes, systemEnd } from './breakpointPlaces.js';

/**
 * The order that is easiest to read: tools, system prompt with the definitions of the workspace, file tree, pages and
 * files as pairs of messages, summary, conversation. The picks come before the newest message, the workspace message
 * after it. Breakpoints: the end of the request, the end of the message before the picks or the workspace message, and
 * the end of the system prompt. Cost: when a file changes, everything after the files is uncached.
 */
export const plain: Layout = {
  name: 'plain',
  lay: (groups, { situation, factory }) => {
    const { tools, system, tree, map, files, pages, checkpoint, conversation, instruction } = groups;
    const said = withTurnContents(withoutExcluded(conversation), groups, situation.last);
    const before = [...filePair(tree), ...filePair(pages), ...filePair(files), ...fromUser(checkpoint)];
    // The next message has other picks and another workspace message. Its request can still read everything before.
    const picked = said.findIndex(({ kind }) => kind === 'blocks');
    const last = picked === -1 ? -1 : before.length + picked - 1;
    return {
      tools,
      system: [...system, ...inSystem(map, factory)],
      messages: [...before, ...said, ...fromUser(instruction)],
      wishes: (prompt, ends) =>
        shortWishes(messagesEnd(prompt, prompt.messages.length), last === -1 ? -1 : (ends[last] ?? 0) - 1, systemEnd(prompt)),
    };
  },
};
