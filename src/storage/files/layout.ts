import { join } from 'node:path';
import { isChatId } from '../../engine/chat/order/ids.js';
import { failure } from '../../engine/errors.js';

/*
 * Where things are below the storage root:
 *
 *   chats/<chatId>/<writerId>.jsonl   a segment: the lines of one writer
 *   chats/<chatId>/<writerId>.alive   there while that writer has an open run
 *   chats/<chatId>/run.claim          there while a window answers, or is about to
 *   chats/<chatId>/blobs/<sha256>     content too large for a line
 *   chats/<chatId>/restore-point.json the state at a place near the end; derived from the segments
 *   chats/<chatId>/row.json           what lists show of the chat; derived from the segments, too
 *   chats/<chatId>/draft.json         what is being written in that chat
 *   chats/<chatId>.deleted            the tombstone of a deleted chat, with what it used
 *   requests/<id>.json                what a request used that belongs to no chat
 *   current-chat                      the chat on show last
 *
 * Whatever else is found there is left alone.
 */

const SEGMENT_END = '.jsonl';
const ALIVE_END = '.alive';
const TOMBSTONE_END = '.deleted';
const WRITER_ID = /^[0-9a-z-]{1,64}$/;

/** Lower case only: on some systems names that differ in case are one file, and two writers would share it. */
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

/** Whether a name in the folder is that of a request, and no unfinished file. */
export function isRequestFile(name: string): boolean {
  return name.endsWith(REQUEST_END);
}

/** Throws `invalidInput` for what is no chat id: ids come from outside and must not become paths unchecked. */
export function chatFolder(root: string, chatId: string): string {
  return join(chatsFolder(root), checkedChatId(chatId));
}

/** Throws `invalidInput` for what is no chat id. */
export function tombstonePath(root: string, chatId: string): string {
  return join(chatsFolder(root), checkedChatId(chatId) + TOMBSTONE_END);
}

/** What one window at a time may do in a chat: answer the user, or write a summary. */
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

/** The writer of a segment, from its file name; null for other files. */
export function segmentWriter(fileName: string): string | null {
  return nameBefore(fileName, SEGMENT_END, isWriterId);
}

/** The writer of a sign of life, from its file name; null for other files. */
export function aliveWriter(fileName: string): string | null {
  return nameBefore(fileName, ALIVE_END, isWriterId);
}

/** The chat of a tombstone, from its file name; null for other files. */
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
