import { open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ChatEvent } from '../engine/chat/event.js';
import { isChatId } from '../engine/chat/ids.js';
import { messageText } from '../engine/chat/message.js';
import { logOrder } from '../engine/chat/order.js';
import { storageError, systemCode } from './failure.js';
import { chatsFolder, segmentWriter, tombstoneChat } from './layout.js';
import { readSegment } from './segment.js';

/** A chat of another workspace, as a look at the ends of its files tells it. */
export interface FoundChat {
  readonly path: string;
  readonly chatId: string;
  /** The title it was given, or else the first line of its first message. */
  readonly title: string;
  /** URIs of the workspace folders it belongs to. */
  readonly folders: readonly string[];
  /** Epoch milliseconds of the last write to it. */
  readonly updatedAt: number;
}

/**
 * Read of a segment at its begin and at its end: the line that created the chat and the first message are at the
 * begin, the title is written after the first reply or by the user. Of most chats that is all there is.
 */
const END_BYTES = 64 * 1_024;

/**
 * The chats with messages below these storage folders that are not deleted. Storages without chats, and files of
 * other shapes, are passed over; what cannot be read is reported.
 */
export async function findChats(storages: readonly string[], report: (error: Error) => void): Promise<readonly FoundChat[]> {
  const found: FoundChat[] = [];
  for (const storage of storages) {
    for (const path of await chatPaths(storage, report)) {
      const chat = await reported(() => lookAtChat(path), report);
      found.push(...(chat === null ? [] : [chat]));
    }
  }
  return found;
}

async function chatPaths(storage: string, report: (error: Error) => void): Promise<readonly string[]> {
  const folder = chatsFolder(storage);
  const names = await reported(() => readdir(folder), report);
  const deleted = new Set((names ?? []).map(tombstoneChat));
  return (names ?? []).filter((name) => isChatId(name) && !deleted.has(name)).map((name) => join(folder, name));
}

/** Null for a failure, which is reported unless there is just nothing. */
async function reported<T>(look: () => Promise<T>, report: (error: Error) => void): Promise<T | null> {
  try {
    return await look();
  } catch (thrown) {
    if (systemCode(thrown) !== 'ENOENT' && systemCode(thrown) !== 'ENOTDIR') {
      report(storageError('The chats of another workspace could not be looked up', thrown));
    }
    return null;
  }
}

async function lookAtChat(path: string): Promise<FoundChat | null> {
  const writers = (await readdir(path)).map((name) => [name, segmentWriter(name)] as const);
  const segments = writers.flatMap(([name, writer]) => (writer === null ? [] : [{ path: join(path, name), writer }]));
  const stats = await Promise.all(segments.map((segment) => stat(segment.path)));
  const parts = await Promise.all(segments.map(async (segment) => readSegment(await readEnds(segment.path), segment.writer).events));
  const events = logOrder(parts.flat());
  const created = events.find((event) => event.type === 'chat-created');
  const title = titleOf(events);
  if (created?.type !== 'chat-created' || title === null) {
    return null;
  }
  const imported = events.findLast((event) => event.type === 'imported');
  const folders = imported?.type === 'imported' ? imported.folders : created.folders;
  return { path, chatId: basename(path), title, folders, updatedAt: Math.max(...stats.map(({ mtimeMs }) => mtimeMs)) };
}

/** Null for a chat in which nothing was said. */
function titleOf(events: readonly ChatEvent[]): string | null {
  const given = events.findLast((event) => event.type === 'title');
  const first = events.find((event) => event.type === 'message' && event.message.role === 'user');
  const said = first?.type === 'message' ? messageText(first.message).trim().split('\n', 1)[0] : undefined;
  return said === undefined ? null : given?.type === 'title' ? given.title : said;
}

/** The begin and the end of a file, with a line feed between them if something is left out. */
async function readEnds(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const isWhole = size <= 2 * END_BYTES;
    const head = await readAt(file, 0, isWhole ? size : END_BYTES);
    return isWhole ? head : Buffer.concat([head, Buffer.from('\n'), await readAt(file, size - END_BYTES, END_BYTES)]);
  } finally {
    await file.close();
  }
}

/** Fewer bytes where the file ends. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
