import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ChatEvent } from '../engine/chat/event.js';
import { LOG_VERSION } from '../engine/chat/stamp.js';
import { newId } from '../engine/chat/ids.js';
import { failure, refuseAborted } from '../engine/errors.js';
import type { Clock, RandomHex } from '../engine/ports.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { isBlobName } from './blobs.js';
import { chatFolders, chatLineage, foundFiles, readChatEnds, segmentFiles, type ChatEnds, type FoundFile } from './chatEnds.js';
import { reported, whereThere } from './failure.js';
import { withOpen, writeDurably, writeFully, type Files } from './files.js';
import { segmentName } from './layout.js';
import { encodeLine } from './line.js';
import { readWhole, withFile, type RegularFile } from './regularFile.js';
import { SegmentFile } from './segmentFile.js';

export interface CopyOptions {
  readonly files: Files;
  readonly clock: Clock;
  readonly random: RandomHex;
  readonly writerId: string;
  /** For the log: failures that do not matter to the copy. */
  readonly report: (error: Error) => void;
}

export interface CopyTarget {
  /** The chat's folder, which does not exist. */
  readonly folder: string;
  readonly chatId: string;
  /** URIs of the workspace folders that the copy belongs to. */
  readonly folders: readonly string[];
}

/** Who waits for a copy. */
export interface CopyWatch {
  /** Gives the copy up, which then leaves nothing behind. */
  readonly signal: AbortSignal;
  /** Both in bytes. */
  progress(copied: number, total: number): void;
}

/** Read and written at once: few calls, and still many looks at the signal in a second. */
const CHUNK_BYTES = 1_024 * 1_024;

const DRAFT = 'draft.json';

const UNFINISHED = /^sess_\d{1,16}_[0-9a-f]{6}\.[0-9a-f]{8}\.tmp$/;
/** No copy takes that long: a folder as old as this was left behind by a window that was killed. */
const ABANDONED_MS = 24 * 60 * 60 * 1_000;

/**
 * Copies a chat with its whole history: segments, blobs and draft, byte for byte, so that ids, times and damage stay
 * what they were. Of a chat that is being written to, it is what was there at the begin. A line of this window says
 * where it came from and which chat it is now. The copy has its name only when all of it is on the disk; the original
 * is only read. Throws system errors, `invalidInput` for what is no chat, and `cancelled` when the signal aborts.
 */
export async function copyChat(from: string, target: CopyTarget, options: CopyOptions, watch: CopyWatch): Promise<void> {
  const { files, random, clock, report } = options;
  const { folder } = target;
  const unfinished = `${folder}.${random.hex(8)}.tmp`;
  let place = unfinished;
  // It is in nobody's way: the chat is imported all the same.
  await reported(STORAGE_WORK.removeImports, removeAbandoned(dirname(folder), clock), report);
  try {
    await files.makeFolder(unfinished);
    await copyFiles(from, unfinished, files, watch);
    await copyDraft(from, unfinished, files);
    await cutUnended(unfinished, files);
    await appendOrigin(unfinished, target, options);
    refuseAborted(watch.signal, 'import.cancelled');
    await files.rename(unfinished, folder);
    place = folder;
    await files.syncFolder(dirname(folder));
  } catch (thrown) {
    throw await removed(place, thrown);
  }
}

/**
 * A blob is written before the line that names it: asked for after the segments were sized, it is all that their lines
 * name. One that goes before it is copied makes the copy fail.
 */
async function blobsOf(from: string): Promise<readonly FoundFile[]> {
  const names = (await whereThere(readdir(join(from, 'blobs')), [])).filter(isBlobName);
  return foundFiles(
    from,
    names.map((name) => join('blobs', name)),
  );
}

/** Another window may replace it at any time: it is read at once. */
async function copyDraft(from: string, to: string, files: Files): Promise<void> {
  const draft = await whereThere(readDraft(from), null);
  if (draft !== null) {
    await writeDurably(files, join(to, DRAFT), draft);
  }
}

async function readDraft(from: string): Promise<Buffer> {
  await foundFiles(from, [DRAFT]);
  return readWhole(join(from, DRAFT));
}

async function copyFiles(from: string, to: string, files: Files, watch: CopyWatch): Promise<void> {
  // All sized at one moment, so that no turn is there without what it answers: what is appended meanwhile stays behind.
  const segments = await segmentFiles(from);
  const blobs = await blobsOf(from);
  const sources = [...segments, ...blobs];
  const total = sources.reduce((sum, { size }) => sum + size, 0);
  let before = 0;
  if (blobs.length > 0) {
    await files.makeFolder(join(to, 'blobs'));
  }
  for (const { name, size } of sources) {
    const copied = before;
    await copyFile({ path: join(from, name), size }, join(to, name), files, (bytes) => {
      watch.progress(copied + bytes, total);
      refuseAborted(watch.signal, 'import.cancelled');
    });
    before += size;
  }
  if (blobs.length > 0) {
    await files.syncFolder(join(to, 'blobs'));
  }
}

/** Calls `piece` after each piece, and before the first one, with how many bytes are copied; it may throw. */
async function copyFile(
  { path, size }: { readonly path: string; readonly size: number },
  to: string,
  files: Files,
  piece: (bytes: number) => void,
): Promise<void> {
  piece(0);
  const copy = (source: RegularFile): Promise<void> =>
    withOpen(files, to, async (target) => {
      let position = 0;
      while (position < size) {
        const bytes = await source.bytes(position, Math.min(CHUNK_BYTES, size - position));
        if (bytes.length === 0) {
          throw failure('import.becameShorter', { name: basename(path) });
        }
        await writeFully(target, bytes, position);
        position += bytes.length;
        piece(position);
      }
      await target.datasync();
    });
  await withFile(path, copy);
}

/** A line that its writer was just writing stays behind: in the copy nobody would end it. */
async function cutUnended(folder: string, files: Files): Promise<void> {
  const areKnown = (ends: ChatEnds): boolean => [...ends.segments.values()].every(({ wholeLines }) => wholeLines !== null);
  const { segments } = await readChatEnds(folder, 'thorough', areKnown);
  for (const [name, { size, wholeLines }] of segments) {
    if (wholeLines !== null && wholeLines < size) {
      await withOpen(files, join(folder, name), async (file) => {
        await file.truncate(wholeLines);
        await file.datasync();
      });
    }
  }
}

async function appendOrigin(
  folder: string,
  { chatId, folders }: CopyTarget,
  { files, writerId, clock, random }: CopyOptions,
): Promise<void> {
  const ends = await readChatEnds(folder, 'thorough', isPlaced);
  const origin = chatLineage(ends.events).at(-1);
  if (origin === undefined) {
    throw failure(ends.isNewer ? 'import.newer' : 'import.noChat');
  }
  const seq = 1 + Math.max(...ends.events.map((event) => event.seq));
  const from = { chatId: origin, folders: chatFolders(ends.events) };
  const stamp = { v: LOG_VERSION, seq, id: newId(clock, random), at: clock.now(), writer: writerId };
  await appendLine(join(folder, segmentName(writerId)), files, { type: 'imported', chatId, folders, from, ...stamp });
}

/** Whether it is known which chat it is, and after what the new line comes. */
function isPlaced({ events, segments }: ChatEnds): boolean {
  return chatLineage(events).length > 0 && [...segments.values()].every(({ isPlaced: isKnown }) => isKnown);
}

async function appendLine(path: string, files: Files, event: ChatEvent): Promise<void> {
  const segment = await SegmentFile.open(files, path);
  try {
    await segment.append(encodeLine(event), true, () => Promise.resolve());
    await segment.sync();
  } finally {
    await segment.close();
  }
}

/** What copies of windows that were killed have left: it may be large, and nobody else looks at it. */
async function removeAbandoned(chats: string, clock: Clock): Promise<void> {
  const names = (await whereThere(readdir(chats), [])).filter((name) => UNFINISHED.test(name));
  for (const path of names.map((name) => join(chats, name))) {
    const stats = await whereThere(stat(path), null);
    if (stats !== null && clock.now() - stats.mtimeMs > ABANDONED_MS) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

/** Returns what to throw: both errors when what was copied cannot be removed either. */
async function removed(unfinished: string, cause: unknown): Promise<unknown> {
  try {
    await rm(unfinished, { recursive: true, force: true });
    return cause;
  } catch (thrown) {
    return new AggregateError([cause, thrown], 'What was copied of the chat could not be removed.', { cause });
  }
}
