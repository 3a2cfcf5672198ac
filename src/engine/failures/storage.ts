import { entries, type FailureTraits, type Texts } from './entry.js';

interface Failed {
  /** What did not work, as the start of a sentence ("This chat could not be saved"). */
  readonly what: string;
  /** Why, in plain words and without a full stop. */
  readonly reason: string;
}

const because = ({ what, reason }: Failed): string => `${what}: ${reason}.`;

/** What the storage could not do, for the codes that add the reason. */
export const STORAGE_WORK = {
  list: 'The chats of this workspace could not be listed',
  follow: 'What another window added to this chat could not be read',
  lookUp: 'A chat could not be looked up',
  readLog: 'The log of this chat could not be read',
  delete: 'The chat could not be deleted',
  bringBack: 'The chat could not be brought back',
  removeFiles: 'The files of deleted chats could not be removed',
  saveSome: 'A chat could not be saved',
  save: 'This chat could not be saved',
  import: 'The chat could not be imported',
  removeImports: 'What an earlier import has left behind could not be removed',
  open: 'This chat could not be opened',
  read: 'A chat could not be read',
  saveRestorePoint: 'What makes a long chat open quickly could not be saved',
  findCurrent: 'The chat on show last could not be looked up',
  rememberCurrent: 'The chat on show could not be remembered',
  lookAtOthers: 'The chats of another workspace could not be looked up',
  tellRunning: 'Other windows cannot be told that this chat is running',
  claim: 'Other windows cannot be kept from answering in this chat',
  unclaim: 'Other windows cannot be told that this chat is free again',
  askRunning: 'It could not be found out whether another window is running this chat',
  watch: 'What other windows write to chats shows late here, because their folder cannot be watched',
  saveContent: 'An attachment or a result could not be saved',
  readDraft: 'The draft of this chat could not be read',
  saveDraft: 'The draft of this chat could not be saved',
  search: (chatId: string): string => `Chat ${chatId} could not be searched`,
  searchPart: (chatId: string): string => `A part of chat ${chatId} could not be searched`,
  readContent: (sha: string): string => `Saved content of this chat could not be read (${sha})`,
} as const;

const FULL: FailureTraits = { kind: 'storage', help: 'Make room on the disk, then try again.' };
const DENIED: FailureTraits = { kind: 'storage', help: 'Allow writing to the storage folder of VS Code, then try again.' };

/** The storage of the chats, of keys and of settings: what the system refused, and what is damaged. */
export const STORAGE_FAILURES = {
  ...entries(FULL, { 'storage.full': because }),
  ...entries(DENIED, { 'storage.denied': because }),
  ...entries('storage', {
    'storage.failed': because,
    'storage.readOnly': ({ reason }: Texts<'reason'>) => reason,
    'storage.newerLog': 'This chat was written by a newer version of Loupe: update Loupe to open it.',
    'storage.chatDeleted': 'This chat was deleted.',
    'storage.noBeginning': 'The chat cannot be read: the line that created it is missing or damaged.',
    'storage.olderLog':
      'This chat was made by an early version of Loupe that was not released, and cannot be opened. Its files are left as they are.',
    'storage.noHistory': 'This chat could not be opened: its folder holds no history.',
    'storage.fileGone': 'The file of this chat was deleted from the disk by another program.',
    'storage.damagedSegment': ({ reason, segment }: Texts<'reason' | 'segment'>) =>
      `This chat could not be opened: ${reason} (${segment}).`,
    'storage.notRegular': ({ name, folder }: Texts<'name' | 'folder'>) =>
      `The chat cannot be read whole: ${name} is not a regular file (${folder}).`,
    'storage.otherWorkspace': ({ reason, path }: Texts<'reason' | 'path'>) =>
      `A chat of another workspace could not be read: ${reason} (${path}).`,
    'storage.fault': ({ chatId, fault }: Texts<'chatId' | 'fault'>) => `Chat ${chatId}: ${fault}`,
    'storage.damagedContent': ({ sha }: Texts<'sha'>) => `Saved content of this chat is damaged (${sha}).`,
    'storage.damagedDraft': 'The draft of this chat could not be read: its file is damaged.',
    'settings.notWritten': 'VS Code could not write your settings. Nothing was changed.',
    'key.notKept': ({ label }: Texts<'label'>) => `VS Code could not keep the key of ${label}.`,
    'key.notRead': ({ label }: Texts<'label'>) => `VS Code could not read the key of ${label}.`,
    'key.notRemoved': ({ label }: Texts<'label'>) => `VS Code's secret storage failed: the key of ${label} is still there.`,
    'key.notOurs': 'What is stored is no key of Loupe.',
    'key.notJson': ({ error }: Texts<'error'>) => `What is stored is not JSON (${error}).`,
  }),
  ...entries('invalidInput', {
    'storage.badContentName': ({ name }: Texts<'name'>) => `This is not the name of saved content: ${name}.`,
    'storage.badChatId': ({ id }: Texts<'id'>) => `This is not the id of a chat: ${id}.`,
  }),
};
