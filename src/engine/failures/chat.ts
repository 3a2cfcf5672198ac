import { entries, type Texts } from './entry.js';

/** What is refused or cancelled in chats, in the history and in their copies. */
export const CHAT_FAILURES = {
  ...entries('invalidInput', {
    'chat.busyHere': 'The chat is still answering. Stop it first, or wait.',
    'chat.busyElsewhere': 'A reply is being written in another window. Wait for it to finish.',
    'chat.readOnly': ({ reason }: Texts<'reason'>) => reason,
    'chat.deleted': 'This chat was deleted.',
    'chat.deletedWhileRead': 'That chat was deleted while it was being read.',
    'chat.gone': 'That chat is not there any more.',
    'chat.notInOtherWorkspaces': ({ chat }: Texts<'chat'>) => `No other workspace has the chat ${chat}.`,
    'chat.emptyMessage': 'The message is empty.',
    'chat.emptyTitle': 'The title is empty.',
    'chat.notQueued': 'That message does not wait to be sent any more.',
    'chat.nothingToContinue': 'There is nothing to continue.',
    'chat.branchGone': 'That part of the chat is not there any more.',
    'chat.noMessage': 'There is no message yet.',
    'chat.noReply': 'There is no reply yet to fork after.',
    'chat.messageGone': 'That message is not in the conversation any more.',
    'chat.messageSetAside': 'That message is not in the conversation any more: an edit or a retry has set it aside.',
    'chat.notForkable': 'That message is not part of the conversation, so nothing can be forked there.',
    'chat.resultGone': 'That result is not in the conversation any more.',
    'chat.noRequest': 'This chat has sent no request yet.',
    'chat.noRequestRecord': 'No context data available: that message has no record of a request.',
    'chat.noFiles': 'No files were added to this chat.',
    'chat.fileNotAdded': ({ key }: Texts<'key'>) => `${key} is not in this chat.`,
    'chat.unknownSetting': ({ name }: Texts<'name'>) => `${name} is not a setting of a chat.`,
    'chat.badSetting': ({ problem }: Texts<'problem'>) => problem,
    'search.text': 'What to search for is a text.',
    'search.options': 'The options of a search are {role, limit}.',
    'search.role': ({ roles }: Texts<'roles'>) => `The role of a search is one of ${roles}.`,
    'search.limit': 'The limit of a search is a whole number from 1.',
    'import.newer': 'This chat was made by a newer version of Loupe.',
    'import.noChat': 'This is no chat, or the line that created it is damaged.',
  }),
  ...entries('cancelled', {
    'chat.readingCancelled': 'The reading of the chat was cancelled.',
    'search.cancelled': 'The search was cancelled.',
    'export.cancelled': 'The export was cancelled.',
    'import.cancelled': 'The import was cancelled.',
  }),
  ...entries('storage', {
    'export.notAsJsonLines': ({ reason }: Texts<'reason'>) =>
      `This chat cannot be exported as JSON Lines: ${reason}. As Markdown it can, with all that this window holds of it: choose a file name that ends in .md.`,
    'export.notWritten': ({ name, reason }: Texts<'name' | 'reason'>) => `The chat could not be exported to ${name}: ${reason}.`,
    'import.becameShorter': ({ name }: Texts<'name'>) => `The chat could not be imported: ${name} became shorter while it was copied.`,
  }),
};
