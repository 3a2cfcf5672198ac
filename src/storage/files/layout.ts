import { join } from 'node:path';
import { isChatId } from '../../engine/chat/order/ids.js';
import { failure } from '../../engine/errors.js';

/*
 * Files below the storage root. Other files are ignored.
 *
 *   chats/<chatId>/<writerId>.jsonl   a segment: the lines of one writer
 *   chats/<chatId>/<writerId>.alive   exists while that writer has an open run
 *   chats/<chatId>/<kind>.claim       `run`: a window replies or soon will; `summary`: a window writes a summary
 *   chats/<chatId>/blobs/<sha256>     content too large for a line
 *   chats/<chatId>/restore-point.json the state near the end of the log; derived from the segments
 *   chats/<chatId>/row.json           the chat's row in lists, `attempts.json` the rows of its attempts; both derived
 *   chats/<chatId>/learned.json       what the chat teaches about models; derived
 *   chats/<chatId>/draft.json         the unsent text of that chat
 *   chats/<chatId>.deleted            the tombstone of a deleted chat, with its usage
 *   requests/<id>.json                the usage of a request that belongs to no chat
 *   current-chat                      the last shown chat
 */

const SEGMENT_END = '.jsonl';
const ALIVE_END = '.alive';
const TOMBSTONE_END = '.deleted';
const WRITER_ID = /^[0-9a-z-]{1,64}$/;

/** Accepts only lower case: some systems ignore case in file names, so that two writers would share one file. */
export function isWriterId(text: string): boolean {
  return WRITER_ID.test(text);
}

export function chatsFolder(root: string): string {
  return join(root, 'chats');
}

export function requestsFolder(root: string): string {
  return join(root, 'requests');
}

const REQUEST_END = '.json';

export function requestPath(root: string, id: string): string {
  return join(requestsFolder(root), id + REQUEST_END);
}

export function isRequestFile(name: string): boolean {
  return name.endsWith(REQUEST_END);
}

/** Returns the folder of a chat. Throws `invalidInput` for an invalid chat id, because ids come from outside. */
export function chatFolder(root: string, chatId: string): string {
  return join(chatsFolder(root), checkedChatId(chatId));
}

/** Returns the path of a deleted chat's tombstone. Throws `invalidInput` for an invalid chat id. */
export function tombstonePath(root: string, chatId: string): string {
  return join(chatsFolder(root), checkedChatId(chatId) + TOMBSTONE_END);
}

/** Work in a chat that only one VS Code window at a time may do: reply to the user, or write a summary. */
export type ClaimKind = 'run' | 'summary';

export function claimPath(folder: string, kind: ClaimKind): string {
  return join(folder, `${kind}.claim`);
}

export function segmentName(writerId: string): string {
  return writerId + SEGMENT_END;
}

export function alivePath(folder: string, writerId: string): string {
  return join(folder, writerId + ALIVE_END);
}

/** Returns the writer of a segment from its file name, or null for other files. */
export function segmentWriter(fileName: string): string | null {
  return nameBefore(fileName, SEGMENT_END, isWriterId);
}

export function aliveWriter(fileName: string): string | null {
  return nameBefore(fileName, ALIVE_END, isWriterId);
}

export function tombstoneChat(fileName: string): string | null {
  return nameBefore(fileName, TOMBSTONE_END, isChatId);
}

function nameBefore(fileName: string, end: string, isName: (text: string) => boolean): string | null {
  const name = fileName.slice(0, -end.length);
  return fileName.endsWith(end) && isName(name) ? name : null;
}

function checkedChatId(chatId: string): string {
  if (!isChatId(chatId)) {
    throw failure('storage.badChatId', { id: JSON.stringify(chatId) });
  }
  return chatId;
}
