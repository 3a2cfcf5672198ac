import { entries, NOTHING_TO_ACT_ON, type Texts } from './entry.js';

/** Failures of operations on chats, of search, and of export and import. */
export const CHAT_FAILURES = {
  ...entries('invalidInput', {
    'chat.busyHere': 'A reply is being written. Stop it, or wait for it to finish.',
    'chat.busyElsewhere': 'A reply is being written in another window. Wait for it to finish.',
    'chat.summarizing': 'A summary is being written. Wait for it, or cancel it.',
    'chat.readOnly': ({ reason }: Texts<'reason'>) => reason,
    'chat.deleted': 'This chat was deleted.',
    'chat.deletedWhileRead': 'This chat was deleted while it was being read.',
    'chat.gone': 'This chat was deleted.',
    'chat.notInOtherWorkspaces': ({ chat }: Texts<'chat'>) => `No other workspace has the chat ${chat}.`,
    'chat.emptyMessage': 'The message is empty.',
    'draft.changed': 'You changed your message while it was shortened, so it stays as it is.',
    'chat.emptyTitle': 'The title is empty.',
    'chat.notQueued': 'This message was already sent or removed.',
    'chat.notAsked': 'This question was answered already, or what it was about has ended.',
    'chat.nothingToContinue': 'There is nothing to continue.',
    'chat.branchGone': 'This part of the chat was removed.',
    'chat.messageGone': 'This message was removed.',
    'chat.messageNotSent': 'Requests do not send this message: a summary replaces it, or it has no reply.',
    'chat.callGone': 'This message has no such tool call.',
    'chat.stillAnswered': 'This message has no complete reply yet. You can exclude it after the reply.',
    'chat.messageSetAside': 'This message is on another branch, after an edit or a retry. Restore that branch first.',
    'chat.notSentAgain': ({ purpose }: Texts<'purpose'>) =>
      `This request asked for a ${purpose}. Only a request that answered a message can be sent again.`,
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
    'import.foreign': ({ name }: Texts<'name'>) =>
      `${name} is not a chat that Loupe has exported. Choose the .zip, the .jsonl or the folder of one.`,
    'import.noBeginning': ({ name }: Texts<'name'>) => `The chat in ${name} cannot be imported: its first line is missing or damaged.`,
    'import.badZip': ({ name, reason }: Texts<'name' | 'reason'>) =>
      `${name} cannot be read as a zip file, so nothing was imported: ${reason}. Copy or download it again.`,
    'import.unsafe': ({ name, entry }: Texts<'name' | 'entry'>) =>
      `${name} was not imported: its entry ${entry} leads out of the folder of the chat.`,
    'import.tooLarge': ({ name, most }: Texts<'name' | 'most'>) => `${name} was not imported: it unpacks to more than ${most}.`,
    'import.unreadable': ({ name }: Texts<'name'>) =>
      `${name} was not imported: it has the form of a chat, but Loupe cannot read what it says.`,
    'import.notOnDisk': ({ name }: Texts<'name'>) =>
      `${name} is not on the disk of the machine that VS Code works on. Save it there, then import it.`,
  }),
  ...entries(NOTHING_TO_ACT_ON, {
    'chat.noMessage': 'This chat has no messages yet.',
    'chat.nothingToSummarize': 'There is nothing to summarize yet.',
    'chat.layoutNotKept': 'Each request of this chat is rebuilt. Only the prompt layout Continue keeps what was sent.',
    'chat.layoutNeedsNothing': 'The next request already holds only what it needs. A rebuild would not change it.',
    'chat.summarizingElsewhere': 'A summary is being written in another window. Wait for it to finish.',
    'chat.noSummary': 'There is no summary to undo.',
    'chat.writingTitle': 'A title is being written already.',
    'chat.nothingToTitle': 'Nothing was said in this chat yet, so there is nothing to name.',
    'summary.notInUse': 'This summary is no longer in use.',
    'summary.notPlanned': 'Choose what to summarize first.',
    'summary.outdated': 'The conversation has changed since the summary was written. Write it again.',
    'draft.fits': 'Your message fits as it is.',
    'chat.noReply': 'This chat has no reply yet. Fork it after the first reply.',
    'chat.noRequest': 'No request was sent in this chat yet.',
    'catalog.noFolder': 'Open a folder first: rules, references and skills are files in it.',
    'catalog.noAgents': 'This workspace has no agents. Loupe reads .loupe/agents and .github/agents.',
    'catalog.noAgent': ({ name }: Texts<'name'>) => `This workspace has no agent "${name}".`,
    'catalog.gone': 'This rule or reference is no longer there.',
    'catalog.restricted': 'Rules and references of a workspace are not read in Restricted Mode. Trust the workspace to use them.',
    'chat.noFiles': 'This chat has no files.',
    'request.noneShown': 'Open a request first: the eye at Next request, or the button of a reply.',
  }),
  ...entries('cancelled', {
    'chat.readingCancelled': 'Reading the chat was cancelled.',
    'search.cancelled': 'The search was cancelled.',
    'export.cancelled': 'The export was cancelled.',
    'import.cancelled': 'The import was cancelled.',
  }),
  ...entries('storage', {
    'catalog.notMade': ({ path }: Texts<'path'>) => `VS Code could not make the file ${path}. Check whether its folder can be written.`,
    'catalog.profileNotWritten': ({ path }: Texts<'path'>) =>
      `Nothing was changed: VS Code could not edit ${path}. Check whether it is read-only.`,
    'catalog.profileNotSaved': ({ path }: Texts<'path'>) =>
      `VS Code did not save ${path}. The change is in its editor: save it there, or undo it.`,
    'export.noLog': ({ format, reason }: Texts<'format' | 'reason'>) =>
      `This chat cannot be exported as ${format}: ${reason}. Export it as Markdown instead: choose a file name that ends in .md.`,
    'export.notWritten': ({ name, reason }: Texts<'name' | 'reason'>) => `The export to ${name} failed: ${reason}.`,
  }),
};
