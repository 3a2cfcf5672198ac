import { entries, type FailureTraits, type Numbers, type Texts } from './entry.js';

interface StorageFailure {
  /** The failed work, as the start of a sentence ("This chat could not be saved"). */
  readonly what: string;
  /** The reason, in plain words and without a full stop. */
  readonly reason: string;
}

const because = ({ what, reason }: StorageFailure): string => `${what}: ${reason}.`;

/** Texts for the parameter `what` of storage failures. */
export const STORAGE_WORK = {
  list: 'The chats of this workspace could not be listed',
  follow: 'Changes from another window could not be read',
  lookUp: 'A chat could not be found',
  readLog: 'The log of this chat could not be read',
  delete: 'The chat could not be deleted',
  bringBack: 'The chat could not be restored',
  removeFiles: 'The files of deleted chats could not be removed',
  saveSome: 'A chat could not be saved',
  save: 'This chat could not be saved',
  import: 'The chat could not be imported',
  removeImports: 'The files of an earlier import could not be removed',
  open: 'This chat could not be opened',
  read: 'A chat could not be read',
  saveRestorePoint: 'The index of this chat could not be saved, so the chat may open slowly',
  findCurrent: 'The last open chat could not be found',
  rememberCurrent: 'Loupe could not save which chat is open',
  lookAtOthers: 'The chats of another workspace could not be listed',
  tellRunning: 'Loupe could not notify other windows about the running reply',
  claim: 'Loupe could not lock this chat for other windows',
  unclaim: 'Loupe could not unlock this chat for other windows',
  askRunning: 'Loupe could not check whether another window writes a reply in this chat',
  watch: 'Changes from other windows appear with a delay, because Loupe cannot watch the folder of the chats',
  saveLimits: 'The rate limits of a provider could not be saved',
  readLimits: 'The rate limits of providers could not be read',
  saveContent: 'An attachment or a tool result could not be saved',
  readDraft: 'The draft of this chat could not be read',
  saveDraft: 'The draft of this chat could not be saved',
  search: (chatId: string): string => `Chat ${chatId} could not be searched`,
  searchPart: (chatId: string): string => `A part of chat ${chatId} could not be searched`,
  saveRequest: 'The price of a request could not be saved, so Usage does not include the request',
  listRequests: 'Requests outside of chats, such as test messages, could not be read',
  readRequest: (name: string): string => `Usage does not include a request outside of chats: the file ${name} could not be read`,
  readContents: 'The images and large texts of this chat could not be listed',
  readContent: (sha: string): string => `Saved content of this chat could not be read (${sha})`,
} as const;

const FULL: FailureTraits = { kind: 'storage', help: 'Free up disk space, then try again.' };
const DENIED: FailureTraits = { kind: 'storage', help: 'Allow VS Code to write to its storage folder, then try again.' };

/** Failures of the storage of chats, keys and settings. */
export const STORAGE_FAILURES = {
  ...entries(FULL, { 'storage.full': because }),
  ...entries(DENIED, { 'storage.denied': because }),
  ...entries('storage', {
    'storage.failed': because,
    'storage.readOnly': ({ reason }: Texts<'reason'>) => reason,
    'storage.newerLog': 'This chat needs a newer version of Loupe. Update Loupe to open it.',
    'storage.chatDeleted': 'This chat was deleted.',
    'storage.noBeginning': 'This chat cannot be read: its first line is missing or damaged.',
    'storage.olderLog': 'This chat was made by an unreleased version of Loupe and cannot be opened. Its files are unchanged.',
    'storage.noHistory': 'This chat could not be opened: its folder contains no log.',
    'storage.fileGone': 'Another program deleted the file of this chat.',
    'storage.damagedSegment': ({ reason, segment }: Texts<'reason' | 'segment'>) =>
      `This chat could not be opened: ${reason} (${segment}).`,
    'storage.notRegular': ({ name, folder }: Texts<'name' | 'folder'>) =>
      `A part of this chat cannot be read: ${name} is not a regular file (${folder}).`,
    'storage.otherWorkspace': ({ reason, path }: Texts<'reason' | 'path'>) =>
      `A chat from another workspace could not be read: ${reason} (${path}).`,
    'storage.becameShorter': ({ name }: Texts<'name'>) => `The chat could not be copied: ${name} changed during the copy. Try again.`,
    'storage.othersUnread': ({ count }: Numbers<'count'>) =>
      `The chats of ${count === 1 ? 'another workspace' : `${count} other workspaces`} could not be read. Usage does not include their requests.`,
    'storage.fault': ({ chatId, fault }: Texts<'chatId' | 'fault'>) => `Chat ${chatId}: ${fault}`,
    'storage.damagedContent': ({ sha }: Texts<'sha'>) => `Saved content of this chat is damaged (${sha}).`,
    'sessionFile.lost': ({ path }: Texts<'path'>) =>
      `The content of the session file ${path} could not be read. Write the file again, or delete it.`,
    'storage.damagedRequest': ({ name }: Texts<'name'>) => `Usage does not include a request: its file ${name} is damaged.`,
    'storage.damagedDraft': 'The draft of this chat could not be read: the file of the draft is damaged.',
    'settings.notWritten': 'VS Code could not save your settings. Nothing was changed.',
    'key.notKept': ({ label }: Texts<'label'>) => `VS Code could not store the key of ${label}.`,
    'key.notRead': ({ label }: Texts<'label'>) => `VS Code could not read the key of ${label}.`,
    'key.notRemoved': ({ label }: Texts<'label'>) => `VS Code's secret storage failed. The key of ${label} was not removed.`,
    'key.notOurs': 'Loupe cannot read the stored key. Enter the key again.',
    'key.notJson': ({ error }: Texts<'error'>) => `Loupe cannot read the stored key (${error}). Enter the key again.`,
  }),
  ...entries('invalidInput', {
    'storage.badContentName': ({ name }: Texts<'name'>) => `${name} is not the name of saved content.`,
    'storage.badChatId': ({ id }: Texts<'id'>) => `${id} is not the ID of a chat.`,
  }),
};
