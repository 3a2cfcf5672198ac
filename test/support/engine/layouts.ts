import { filePair, withoutExcluded, type Layout } from '../../../src/engine/request/layout/layout.js';
import { plain } from '../../../src/engine/request/layout/plain.js';

/** A layout for tests only: files come after the conversation, right before the message to answer. */
export const FILES_LAST: Layout = {
  name: 'files-last',
  lay: (groups, context) => {
    const { files } = groups;
    const conversation = withoutExcluded(groups.conversation);
    const at = conversation.findLastIndex(({ kind }) => kind === 'user');
    const end = at === -1 ? conversation.length : at;
    const messages = [...conversation.slice(0, end), ...filePair(files), ...conversation.slice(end)];
    return { ...plain.lay(groups, context), messages };
  },
};
