import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ChatEvent } from '../../engine/chat/event.js';
import { LOG_VERSION } from '../../engine/chat/order/stamp.js';
import { newId } from '../../engine/chat/order/ids.js';
import { failure, failIfAborted } from '../../engine/errors.js';
import type { Clock } from '../../engine/ports.js';
import { STORAGE_WORK } from '../../engine/failures/storage.js';
import { blobFiles, chatFolders, chatLineage, foundFiles, readChatEnds, segmentFiles, type ChatEnds } from './chatEnds.js';
import type { CopyWatch } from '../files/copyWatch.js';
import { reported, orIfMissing } from '../files/failure.js';
import { withOpen, writeDurably, type Files } from '../files/files.js';
import { segmentName } from '../files/layout.js';
import type { JournalOptions } from '../log/journal.js';
import { encodeLine } from '../log/line.js';
import { readWhole } from '../files/regularFile.js';
import { SegmentFile } from '../log/segmentFile.js';
import { copyFiles, diskFile, type SourceFile } from './sourceFile.js';

/** `report` logs failures that do not affect the copy. */
export type CopyOptions = Pick<JournalOptions, 'files' | 'clock' | 'random' | 'writerId' | 'report'>;

export interface CopyTarget {
  /** The chat's folder, which must not exist yet. */
  readonly folder: string;
  readonly chatId: string;
  /** URIs of the workspace folders that the copy belongs to. */
  readonly folders: readonly string[];
}

const DRAFT = 'draft.json';

const UNFINISHED = /^sess_\d{1,16}_[0-9a-f]{6}\.[0-9a-f]{8}\.tmp$/;
/** In ms. No copy takes that long, so an older unfinished copy is from a window that was killed. */
const ABANDONED_MS = 24 * 60 * 60 * 1_000;

/** The files of a chat in a new folder, and what the caller wants to know about them. */
export interface FilledCopy<T> {
  readonly result: T;
  /** The highest sequence number of all lines. Null if Loupe wrote the lines: then the last one has the highest. */
  readonly lastSeq: number | null;
}

/** Writes the files of a chat into the new folder `to`. An error cancels the copy. */
export type FillCopy<T> = (to: string, files: Files) => Promise<T>;

/**
 * Makes a chat from the files that `fill` writes. Ids, times and damage stay the same. A new line of this window
 * records the origin and the new id. The folder gets its final name only when the copy is on the disk. Returns the
 * result of `fill`. Throws system errors, `invalidInput` if there is no chat, and `cancelled` when the signal aborts.
 */
export async function copyChat<T>(
  fill: FillCopy<FilledCopy<T>>,
  target: CopyTarget,
  options: CopyOptions,
  { signal }: CopyWatch,
): Promise<T> {
  const { files, random, clock, report } = options;
  const { folder } = target;
  const unfinished = `${folder}.${random.hex(8)}.tmp`;
  let place = unfinished;
  // A failure to remove old unfinished copies must not stop the import.
  await reported(STORAGE_WORK.removeImports, removeAbandoned(dirname(folder), clock), report);
  try {
    await files.makeFolder(unfinished);
    const { result, lastSeq } = await fill(unfinished, files);
    await cutUnended(unfinished, files);
    await appendOrigin(unfinished, { ...target, lastSeq }, options);
    failIfAborted(signal, 'import.cancelled');
    await files.rename(unfinished, folder);
    place = folder;
    await files.syncFolder(dirname(folder));
    return result;
  } catch (thrown) {
    throw await removed(place, thrown);
  }
}

/**
 * Copies segments, blobs and draft of the chat in the folder `from`, byte for byte. Does not change the original. Omits
 * lines that are appended during the copy. Fails when a blob disappears before it is copied.
 */
export function fillFromFolder(from: string, watch: CopyWatch): FillCopy<FilledCopy<void>> {
  return async (to, files) => {
    await copyFiles(await chatFiles(from), { to, files, seen: () => undefined }, watch);
    await copyDraft(from, to, files);
    return { result: undefined, lastSeq: null };
  };
}

/** Returns segments and blobs with their sizes now, so that no later reply is copied without its user message. */
export async function chatFiles(folder: string): Promise<readonly SourceFile[]> {
  const segments = await segmentFiles(folder);
  const blobs = await blobFiles(folder);
  return [...segments, ...blobs].map((file) => diskFile(folder, file));
}

/** Copies the draft with a single read, because another window may replace the draft at any time. */
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

/** Removes incomplete last lines, because no writer will complete them in the copy. */
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
  { chatId, folders, lastSeq }: CopyTarget & Pick<FilledCopy<unknown>, 'lastSeq'>,
  { files, writerId, clock, random }: CopyOptions,
): Promise<void> {
  const ends = await readChatEnds(folder, 'thorough', isPlaced);
  const origin = chatLineage(ends.events).at(-1);
  if (origin === undefined) {
    throw failure(ends.isNewer ? 'import.newer' : 'import.noChat');
  }
  // The line must come after all others: it ends the approvals in them.
  const seq = 1 + (lastSeq ?? Math.max(...ends.events.map((event) => event.seq)));
  const from = { chatId: origin, folders: chatFolders(ends.events) };
  const stamp = { v: LOG_VERSION, seq, id: newId(clock, random), at: clock.now(), writer: writerId };
  await appendLine(join(folder, segmentName(writerId)), files, { type: 'imported', chatId, folders, from, ...stamp });
}

/** Whether the chat's id and the last sequence number of each segment are known. */
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

/** Removes unfinished copies of windows that were killed. Such copies may be large, and nothing else removes them. */
async function removeAbandoned(chats: string, clock: Clock): Promise<void> {
  const names = (await orIfMissing(readdir(chats), [])).filter((name) => UNFINISHED.test(name));
  for (const path of names.map((name) => join(chats, name))) {
    const stats = await orIfMissing(stat(path), null);
    if (stats !== null && clock.now() - stats.mtimeMs > ABANDONED_MS) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

/** Removes an unfinished copy. Returns the error to throw: both errors if the removal also fails. */
async function removed(unfinished: string, cause: unknown): Promise<unknown> {
  try {
    await rm(unfinished, { recursive: true, force: true });
    return cause;
  } catch (thrown) {
    return new AggregateError([cause, thrown], 'The unfinished copy of the chat could not be removed.', { cause });
  }
}
