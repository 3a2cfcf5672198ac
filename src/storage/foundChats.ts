import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isChatId } from '../engine/chat/ids.js';
import { messageText } from '../engine/chat/message.js';
import { failure } from '../engine/errors.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { chatFolders, chatLineage, readChatEnds, type ChatEnds } from './chatEnds.js';
import { storageError, systemCode } from './failure.js';
import { chatsFolder, tombstoneChat } from './layout.js';

/** A chat of another workspace, as a look at the ends of its files tells it. */
export interface FoundChat extends Pick<ChatEnds, 'segments' | 'updatedAt'> {
  readonly path: string;
  readonly chatId: string;
  /** The title it was given, or else the first line of its first message. */
  readonly title: string;
  /** URIs of the workspace folders it belongs to. */
  readonly folders: readonly string[];
  /** The ids it had before it was imported to where it is, oldest first. */
  readonly ancestors: readonly string[];
  /** Epoch milliseconds; null for a chat that was not imported. */
  readonly importedAt: number | null;
}

export interface FoundChats {
  readonly chats: readonly FoundChat[];
  /** How many could not be read; the reasons were reported. */
  readonly unread: number;
  /** How many were not looked at, because there are too many. */
  readonly unseen: number;
}

/**
 * Most chats that are looked at, the latest created: at 0.5 to 1 ms each a search takes a second or two, and nothing
 * waits for it but the list that shows the result.
 */
export const MOST_CHATS = 2_000;

/** Looked at together, so that the disk is not waited for one by one, and typing never for more than a few of them. */
const BATCH = 8;

/** Characters: the list has one line for each, and the first line of a message may be a whole file. */
const TITLE_LENGTH = 100;

/** How a chat is called that begins without a text, or of which 8 MiB have no message. */
const NO_TITLE = 'Chat without a title';

/**
 * The chats with messages below these storage folders that are not deleted. Storages without chats, and files of
 * other shapes, are passed over; what cannot be read is reported.
 */
export async function findChats(storages: readonly string[], report: (error: Error) => void): Promise<FoundChats> {
  const listed: string[] = [];
  let unread = 0;
  for (const storage of storages) {
    const paths = await reported(() => chatPaths(storage), report);
    unread += paths === 'failed' ? 1 : 0;
    listed.push(...(paths === 'failed' ? [] : (paths ?? [])));
  }
  // An id begins with the time at which the chat was created.
  const latest = listed.toSorted((a, b) => (basename(a) < basename(b) ? 1 : -1)).slice(0, MOST_CHATS);
  const chats: FoundChat[] = [];
  for (let start = 0; start < latest.length; start += BATCH) {
    const looks = await Promise.all(latest.slice(start, start + BATCH).map((path) => reported(() => lookAtChat(path), report)));
    unread += looks.filter((chat) => chat === 'failed').length;
    chats.push(...looks.filter((chat) => chat !== null && chat !== 'failed'));
  }
  return { chats, unread, unseen: listed.length - latest.length };
}

async function chatPaths(storage: string): Promise<readonly string[]> {
  const folder = chatsFolder(storage);
  const names = await readdir(folder);
  const deleted = new Set(names.map(tombstoneChat));
  return names.filter((name) => isChatId(name) && !deleted.has(name)).map((name) => join(folder, name));
}

/** Null where there is just nothing. */
async function reported<T>(look: () => Promise<T>, report: (error: Error) => void): Promise<T | null | 'failed'> {
  try {
    return await look();
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT' || systemCode(thrown) === 'ENOTDIR') {
      return null;
    }
    report(storageError(STORAGE_WORK.lookAtOthers, thrown));
    return 'failed';
  }
}

/** Null for a chat in which nothing was said. */
async function lookAtChat(path: string): Promise<FoundChat | null> {
  const ends = await readChatEnds(path, 'glance', ({ first }) => chatLineage(first).length > 0 && firstMessage(first) !== null);
  const { events, segments, updatedAt } = ends;
  const lineage = chatLineage(events);
  if (lineage.length === 0 && [...segments.values()].every(({ size }) => size === 0)) {
    return null;
  }
  if (lineage.length === 0) {
    const reason = ends.isNewer ? 'it was made by a newer version of Loupe' : 'the line that created it is damaged';
    throw failure('storage.otherWorkspace', { reason, path });
  }
  const title = titleOf(ends);
  if (title === null) {
    return null;
  }
  const imported = events.findLast((event) => event.type === 'imported');
  const origin = { folders: chatFolders(events), ancestors: lineage.slice(0, -1), importedAt: imported?.at ?? null };
  return { path, chatId: basename(path), title, segments, updatedAt, ...origin };
}

/** Null for a chat in which nothing was said. */
function titleOf({ events, first, isWhole }: ChatEnds): string | null {
  const given = events.findLast((event) => event.type === 'title');
  const said = firstMessage(first) ?? firstMessage(events);
  if (said === null && isWhole) {
    return null;
  }
  const [line = ''] = (given?.type === 'title' ? given.title : (said ?? '')).trim().split('\n', 1);
  return line === '' ? NO_TITLE : Array.from(line).slice(0, TITLE_LENGTH).join('');
}

function firstMessage(events: ChatEnds['events']): string | null {
  const first = events.find((event) => event.type === 'message' && event.message.role === 'user');
  return first?.type === 'message' ? messageText(first.message) : null;
}
