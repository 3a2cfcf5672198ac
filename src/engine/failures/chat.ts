import { entries, NOTHING_TO_ACT_ON, type Texts } from './entry.js';

/** Failures of operations on chats, of search, and of export and import. */
export const CHAT_FAILURES = {
  ...entries('invalidInput', {
    'chat.busyHere': 'A reply is being written. Stop it, or wait for it to finish.',
    'chat.busyElsewhere': 'A reply is being written in another window. Wait for it to finish.',
    'chat.readOnly': ({ reason }: Texts<'reason'>) => reason,
    'chat.deleted': 'This chat was deleted.',
    'chat.deletedWhileRead': 'This chat was deleted while it was being read.',
    'chat.gone': 'This chat was deleted.',
    'chat.notInOtherWorkspaces': ({ chat }: Texts<'chat'>) => `No other workspace has the chat ${chat}.`,
    'chat.emptyMessage': 'The message is empty.',
    'chat.emptyTitle': 'The title is empty.',
    'chat.notQueued': 'This message was already sent or removed.',
    'chat.nothingToContinue': 'There is nothing to continue.',
    'chat.branchGone': 'This part of the chat was removed.',
    'chat.messageGone': 'This message was removed.',
    'chat.messageSetAside': 'An edit or a retry set this message aside. Restore it first.',
    'chat.notForkable': 'This message is not part of the conversation. Fork the chat at another one.',
    'chat.resultGone': 'This result was removed.',
    'chat.noRequestRecord': 'The request of this reply was not recorded.',
    'chat.fileNotAdded': ({ key }: Texts<'key'>) => `${key} is not in this chat.`,
    'chat.unknownSetting': ({ name }: Texts<'name'>) => `${name} is not a setting of a chat.`,
    'chat.badSetting': ({ problem }: Texts<'problem'>) => problem,
    'search.text': 'The search query must be text.',
    'search.options': 'The search options must be an object with role and limit.',
    'search.role': ({ roles }: Texts<'roles'>) => `The search role must be one of ${roles}.`,
    'search.limit': 'The search limit must be a whole number above 0.',
    'import.newer': 'This chat needs a newer version of Loupe. Update Loupe to import it.',
    'import.noChat': 'This folder is not a chat, or the first line of the chat is damaged.',
  }),
  ...entries(NOTHING_TO_ACT_ON, {
    'chat.noMessage': 'This chat has no messages yet.',
    'chat.noReply': 'This chat has no reply yet. Fork it after the first reply.',
    'chat.noRequest': 'No request was sent in this chat yet.',
    'chat.noFiles': 'This chat has no files.',
    'request.noneShown': 'Open a request first: the eye beside Next request, or the button of a reply.',
  }),
  ...entries('cancelled', {
    'chat.readingCancelled': 'Reading the chat was cancelled.',
    'search.cancelled': 'The search was cancelled.',
    'export.cancelled': 'The export was cancelled.',
    'import.cancelled': 'The import was cancelled.',
  }),
  ...entries('storage', {
    'export.notAsJsonLines': ({ reason }: Texts<'reason'>) =>
      `This chat cannot be exported as JSON Lines: ${reason}. Export it as Markdown instead: choose a file name that ends in .md.`,
    'export.notWritten': ({ name, reason }: Texts<'name' | 'reason'>) => `The chat could not be exported to ${name}: ${reason}.`,
    'import.becameShorter': ({ name }: Texts<'name'>) => `The chat could not be imported: ${name} changed while it was copied.`,
  }),
};
