import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isChatId } from '../../engine/chat/order/ids.js';
import type { UserMessage } from '../../engine/chat/message/message.js';
import { cutTo, openingBy, titleOf } from '../../engine/chat/message/opening.js';
import { failure } from '../../engine/errors.js';
import { STORAGE_WORK } from '../../engine/failures/storage.js';
import { chatFolders, chatLineage, readChatEnds, type ChatEnds } from './chatEnds.js';
import { storageError, systemCode } from '../files/failure.js';
import { chatsFolder, tombstoneChat } from '../files/layout.js';

/** A chat of another workspace. The data come from the beginning and the end of its segments. */
export interface FoundChat extends Pick<ChatEnds, 'segments' | 'updatedAt'> {
  readonly path: string;
  readonly chatId: string;
  /** The chat's title, or else the first line of the first message. */
  readonly title: string;
  /** URIs of the chat's workspace folders. */
  readonly folders: readonly string[];
  /** The ids that the chat had before its last import, oldest first. */
  readonly ancestors: readonly string[];
  /** The time of the import in epoch milliseconds; null for a chat that was not imported. */
  readonly importedAt: number | null;
}

export interface FoundChats {
  readonly chats: readonly FoundChat[];
  /** The number of chats and of whole storages that could not be read. Each reason was reported. */
  readonly unread: number;
  /** The number of chats that were not read, because there are more than `MOST_CHATS`. */
  readonly unseen: number;
}

/** Maximum number of chats to read, latest first. Each takes 0.5 to 1 ms, so that all take one or two seconds. */
export const MOST_CHATS = 2_000;

/** How many chats to read in parallel. With more, VS Code would react to typing too late. */
const BATCH = 8;

/** Maximum characters of a title. A list has one line per chat, and other workspaces may have longer titles. */
const TITLE_LENGTH = 100;

/** Finds the chats in these storages that have messages and are not deleted. Reports chats that cannot be read. */
export async function findChats(storages: readonly string[], report: (error: Error) => void): Promise<FoundChats> {
  const listed: string[] = [];
  let unread = 0;
  for (const storage of storages) {
    const paths = await reported(() => chatPaths(storage), report);
    unread += paths === 'failed' ? 1 : 0;
    listed.push(...(paths === 'failed' ? [] : (paths ?? [])));
  }
  // A chat id begins with the time of the chat's creation.
  const latest = listed.toSorted((a, b) => (basename(a) < basename(b) ? 1 : -1)).slice(0, MOST_CHATS);
  const chats: FoundChat[] = [];
  for (let start = 0; start < latest.length; start += BATCH) {
    const looks = await Promise.all(latest.slice(start, start + BATCH).map((path) => reported(() => lookAtChat(path), report)));
    unread += looks.filter((chat) => chat === 'failed').length;
    chats.push(...looks.filter((chat) => chat !== null && chat !== 'failed'));
  }
  return { chats, unread, unseen: listed.length - latest.length };
}

/** Returns the folders of the chats that are not deleted. Throws Node's system errors. */
export async function chatPaths(storage: string): Promise<readonly string[]> {
  const folder = chatsFolder(storage);
  const names = await readdir(folder).catch(noneIfMissing);
  const deleted = new Set(names.map(tombstoneChat));
  return names.filter((name) => isChatId(name) && !deleted.has(name)).map((name) => join(folder, name));
}

/** Returns the result of `look`, or null when the file or folder is missing. Reports other failures. */
async function reported<T>(look: () => Promise<T>, report: (error: Error) => void): Promise<T | null | 'failed'> {
  try {
    return await look();
  } catch (thrown) {
    if (isMissing(thrown)) {
      return null;
    }
    report(storageError(STORAGE_WORK.lookAtOthers, thrown));
    return 'failed';
  }
}

function isMissing(thrown: unknown): boolean {
  return systemCode(thrown) === 'ENOENT' || systemCode(thrown) === 'ENOTDIR';
}

function noneIfMissing(thrown: unknown): readonly string[] {
  if (isMissing(thrown)) {
    return [];
  }
  throw thrown;
}

/** Reads the beginning and end of a chat. Returns null for a chat without messages. */
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
  const title = foundTitle(ends);
  if (title === null) {
    return null;
  }
  const imported = events.findLast((event) => event.type === 'imported');
  const origin = { folders: chatFolders(events), ancestors: lineage.slice(0, -1), importedAt: imported?.at ?? null };
  return { path, chatId: basename(path), title, segments, updatedAt, ...origin };
}

/** Returns the title, or else the first line of the first message. Null for a chat without messages. */
function foundTitle({ events, first, isWhole }: ChatEnds): string | null {
  const given = events.findLast((event) => event.type === 'title');
  const said = firstMessage(first) ?? firstMessage(events);
  if (said === null && isWhole) {
    return null;
  }
  return titleOf(given?.type === 'title' ? cutTo(given.title, TITLE_LENGTH) : null, said === null ? null : openingBy(said));
}

function firstMessage(events: ChatEnds['events']): UserMessage | null {
  const first = events.find((event) => event.type === 'message' && event.message.role === 'user');
  return first?.type === 'message' && first.message.role === 'user' ? first.message : null;
}
