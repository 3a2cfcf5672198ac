import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LOG_VERSION, type ChatEvent } from '../engine/chat/event.js';
import { newId } from '../engine/chat/ids.js';
import { logOrder } from '../engine/chat/order.js';
import { LoupeError } from '../engine/errors.js';
import type { Clock, RandomHex } from '../engine/ports.js';
import { isBlobName } from './blobs.js';
import { systemCode } from './failure.js';
import { writeDurably } from './files.js';
import type { Files } from './files.js';
import { segmentName, segmentWriter } from './layout.js';
import { encodeLine } from './line.js';
import { readSegment } from './segment.js';
import { SegmentFile } from './segmentFile.js';

export interface CopyOptions {
  readonly files: Files;
  readonly clock: Clock;
  readonly random: RandomHex;
  readonly writerId: string;
}

export interface CopyTarget {
  /** The chat's folder, which does not exist. */
  readonly folder: string;
  readonly chatId: string;
  /** URIs of the workspace folders that the copy belongs to. */
  readonly folders: readonly string[];
}

/**
 * Copies a chat with its whole history: segments, blobs and draft, byte for byte, so that ids, times and damage stay
 * what they were. A line of this window says where it came from and which chat it is now. The copy has its name only
 * when all of it is on the disk; the original is only read. Throws system errors, and `invalidInput` for what is no
 * chat.
 */
export async function copyChat(from: string, { folder, chatId, folders }: CopyTarget, options: CopyOptions): Promise<void> {
  const { files, writerId, clock, random } = options;
  const unfinished = `${folder}.${random.hex(8)}.tmp`;
  try {
    await files.makeFolder(unfinished);
    const events = logOrder(await copySegments(from, unfinished, files));
    const created = events.find((event) => event.type === 'chat-created');
    if (created?.type !== 'chat-created') {
      throw new LoupeError('invalidInput', 'This is no chat, or the line that created it is damaged.');
    }
    await copyBlobs(from, unfinished, files);
    const seq = 1 + Math.max(...events.map((event) => event.seq));
    const stamp = { v: LOG_VERSION, seq, id: newId(clock, random), at: clock.now(), writer: writerId };
    const origin = { chatId: created.chatId, folders: created.folders };
    await appendLine(join(unfinished, segmentName(writerId)), files, { type: 'imported', chatId, folders, from: origin, ...stamp });
    await files.rename(unfinished, folder);
    await files.syncFolder(join(folder, '..'));
  } catch (thrown) {
    await rm(unfinished, { recursive: true, force: true });
    throw thrown;
  }
}

/** A line that its writer is just writing stays behind: in the copy nobody would end it. */
async function copySegments(from: string, to: string, files: Files): Promise<ChatEvent[]> {
  const copied: ChatEvent[] = [];
  for (const name of await readdir(from)) {
    const writer = segmentWriter(name);
    if (writer !== null) {
      const bytes = await readFile(join(from, name));
      const { events, end } = readSegment(bytes, writer);
      await writeDurably(files, join(to, name), end.unended === null ? bytes.subarray(0, end.offset) : bytes);
      copied.push(...events);
    } else if (name === 'draft.json') {
      await writeDurably(files, join(to, name), await readFile(join(from, name)));
    }
  }
  return copied;
}

async function copyBlobs(from: string, to: string, files: Files): Promise<void> {
  const names = (await blobNames(from)).filter(isBlobName);
  if (names.length > 0) {
    await files.makeFolder(join(to, 'blobs'));
    for (const name of names) {
      await writeDurably(files, join(to, 'blobs', name), await readFile(join(from, 'blobs', name)));
    }
    await files.syncFolder(join(to, 'blobs'));
  }
}

async function blobNames(from: string): Promise<readonly string[]> {
  try {
    return await readdir(join(from, 'blobs'));
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') {
      return [];
    }
    throw thrown;
  }
}

async function appendLine(path: string, files: Files, event: ChatEvent): Promise<void> {
  const segment = await SegmentFile.open(files, path);
  try {
    await segment.append(encodeLine(event));
    await segment.sync();
  } finally {
    await segment.close();
  }
}
