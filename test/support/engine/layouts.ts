import { filePair, type Layout } from '../../../src/engine/request/layout/layout.js';
import { LAYOUTS } from '../../../src/engine/request/layout/layouts.js';

/** A layout of the tests' own: the files stand behind the conversation, in front of the message that is answered. */
export const FILES_LAST: Layout = {
  name: 'files-last',
  place: ({ tools, system, files, conversation }) => {
    const at = conversation.findLastIndex(({ kind }) => kind === 'user');
    const end = at === -1 ? conversation.length : at;
    return { tools, system, messages: [...conversation.slice(0, end), ...filePair(files), ...conversation.slice(end)] };
  },
  wishes: LAYOUTS.plain.wishes,
};
