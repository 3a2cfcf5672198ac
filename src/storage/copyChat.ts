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
import { reported, orIfMissing } from './failure.js';
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
  /** For the log: failures that do not affect the copy. */
  readonly report: (error: Error) => void;
}

export interface CopyTarget {
  /** The chat's folder, which must not exist. */
  readonly folder: string;
  readonly chatId: string;
  /** URIs of the workspace folders that the copy belongs to. */
  readonly folders: readonly string[];
}

/** Follows a copy, and can cancel it. */
export interface CopyWatch {
  /** Cancels the copy, which then leaves no files. */
  readonly signal: AbortSignal;
  /** Both in bytes. */
  progress(copied: number, total: number): void;
}

/** Bytes per read and write: few calls, but many checks of the signal in a second. */
const CHUNK_BYTES = 1_024 * 1_024;

const DRAFT = 'draft.json';

const UNFINISHED = /^sess_\d{1,16}_[0-9a-f]{6}\.[0-9a-f]{8}\.tmp$/;
/** No copy takes that long. An older folder was left by a killed window. */
const ABANDONED_MS = 24 * 60 * 60 * 1_000;

/**
 * Copies a chat with its whole history: segments, blobs and draft, byte for byte, so that ids, times and damage stay
 * the same. Lines that are appended during the copy are left out. A new line of this window records the chat's origin
 * and its new id. The copy gets its name only when it is complete on the disk. The original is only read. Throws
 * system errors, `invalidInput` when there is no chat, and `cancelled` when the signal aborts.
 */
export async function copyChat(from: string, target: CopyTarget, options: CopyOptions, watch: CopyWatch): Promise<void> {
  const { files, random, clock, report } = options;
  const { folder } = target;
  const unfinished = `${folder}.${random.hex(8)}.tmp`;
  let place = unfinished;
  // A failure here must not stop the import.
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
 * The blobs of a chat. Call this after the segments were sized: a blob is written before the line that names it, so
 * none is missed. The copy fails when a blob disappears before it is copied.
 */
async function blobsOf(from: string): Promise<readonly FoundFile[]> {
  const names = (await orIfMissing(readdir(join(from, 'blobs')), [])).filter(isBlobName);
  return foundFiles(
    from,
    names.map((name) => join('blobs', name)),
  );
}

/** Copied in one read, because another window may replace the draft at any time. */
async function copyDraft(from: string, to: string, files: Files): Promise<void> {
  const draft = await orIfMissing(readDraft(from), null);
  if (draft !== null) {
    await writeDurably(files, join(to, DRAFT), draft);
  }
}

async function readDraft(from: string): Promise<Buffer> {
  await foundFiles(from, [DRAFT]);
  return readWhole(join(from, DRAFT));
}

async function copyFiles(from: string, to: string, files: Files, watch: CopyWatch): Promise<void> {
  // All segments are sized at one moment, so that the copy holds no answer without its question. Later lines are left out.
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

/** Calls `piece` with the bytes copied so far: before the first piece and after each one. `piece` may throw. */
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

/** Cuts off unfinished last lines: in the copy no writer would finish them. */
async function cutUnended(folder: string, files: Files): Promise<void> {
  const areKnown = (ends: ChatEnds): boolean => [...ends.segments.values()].every(({ completeLines: wholeLines }) => wholeLines !== null);
  const { segments } = await readChatEnds(folder, 'thorough', areKnown);
  for (const [name, { size, completeLines: wholeLines }] of segments) {
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

/** Whether the chat's id and the last sequence number are known. */
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

/** Removes folders that killed windows left while copying. They may be large, and nothing else removes them. */
async function removeAbandoned(chats: string, clock: Clock): Promise<void> {
  const names = (await orIfMissing(readdir(chats), [])).filter((name) => UNFINISHED.test(name));
  for (const path of names.map((name) => join(chats, name))) {
    const stats = await orIfMissing(stat(path), null);
    if (stats !== null && clock.now() - stats.mtimeMs > ABANDONED_MS) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

/** Removes an unfinished copy. Returns what to throw: both errors when this fails too. */
async function removed(unfinished: string, cause: unknown): Promise<unknown> {
  try {
    await rm(unfinished, { recursive: true, force: true });
    return cause;
  } catch (thrown) {
    return new AggregateError([cause, thrown], 'What was copied of the chat could not be removed.', { cause });
  }
}
