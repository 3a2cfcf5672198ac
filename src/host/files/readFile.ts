import { constants, type BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { FileRead } from '../../engine/context/fileContext.js';
import { isSameFile, notAFile, realPlace, type RealPlace } from './realPlace.js';
import { refused, systemRefusal, type Refusal } from './refusal.js';

/**
 * The largest file that goes into a prompt, 1 MiB: some 250,000 tokens of code, more than nearly every model
 * takes. Whatever is larger is data, and reading it whole would only slow the extension host.
 */
export const MAX_FILE_BYTES = 1024 * 1024;

/** Runs when the file has been checked and not yet opened, and when it has been opened: tests swap files there. */
export type OnStage = (stage: 'checked' | 'opened') => Promise<void>;

export interface FileToRead {
  /** Where it is on disk; links in it are followed. */
  readonly place: string;
  /** What the user knows it by. */
  readonly path: string;
  /** The workspace's folders: it must be in one of them. */
  readonly folders: readonly string[];
  readonly onStage: OnStage;
}

/**
 * Reads a text file. What is no regular file is refused before it is opened, and never waited for. A file may be
 * swapped between the check and the opening: so the place without links is opened without following one, without
 * waiting, and what was opened must be the file that was checked and must still be found at its path inside the
 * workspace. (A hard link is a file of the workspace, wherever else it is known.)
 */
export async function readTextFile(file: FileToRead): Promise<FileRead> {
  const checked = await realPlace(file.place, file.path, file.folders);
  if (!checked.ok) {
    return checked;
  }
  const unfit = notAFile(file.path, checked.stats) ?? tooLarge(file.path, checked.stats.size);
  if (unfit !== null) {
    return unfit;
  }
  await file.onStage('checked');
  try {
    const handle = await open(checked.place, openFlags());
    try {
      return await readOpened(file, handle, checked);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return systemRefusal(file.path, error);
  }
}

async function readOpened(file: FileToRead, handle: FileHandle, checked: RealPlace): Promise<FileRead> {
  const stats = await handle.stat({ bigint: true });
  await file.onStage('opened');
  const unfit = notAFile(file.path, stats) ?? (await swapped(file, stats, checked));
  if (unfit !== null) {
    return unfit;
  }
  const bytes = await readUpTo(handle, MAX_FILE_BYTES);
  return tooLarge(file.path, BigInt(bytes.length)) ?? decodeText(file.path, bytes);
}

/** A refusal when the opened file is not the checked one, or no longer the one at its path. */
async function swapped(file: FileToRead, opened: BigIntStats, checked: RealPlace): Promise<Refusal | null> {
  const now = await realPlace(file.place, file.path, file.folders);
  if (!now.ok) {
    return now;
  }
  const isSame = isSameFile(opened, checked.stats) && isSameFile(opened, now.stats);
  return isSame ? null : refused(file.path, { code: 'replaced' });
}

/** Windows lacks both flags: there no file blocks on opening, and the check after it stands alone. */
function openFlags(): number {
  const known: Readonly<Record<string, number | undefined>> = constants;
  return constants.O_RDONLY | (known['O_NONBLOCK'] ?? 0) | (known['O_NOFOLLOW'] ?? 0);
}

function tooLarge(path: string, bytes: bigint): Refusal | null {
  return bytes <= MAX_FILE_BYTES ? null : refused(path, { code: 'tooLarge', bytes: Number(bytes) });
}

const CHUNK_BYTES = 64 * 1024;

/** Reads to the end of the file, but stops once it has more than `most` bytes: a file may grow while it is read. */
async function readUpTo(handle: FileHandle, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let length = 0; length <= most; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
    if (bytesRead === 0) {
      break;
    }
    chunks.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(chunks);
}

/**
 * The text of a file's bytes. Nothing is invented or dropped: bytes that are no UTF-8 are refused instead of
 * becoming U+FFFD, and a byte order mark stays as U+FEFF. A NUL byte marks a binary file.
 */
function decodeText(path: string, bytes: Buffer): FileRead {
  if (bytes.includes(0)) {
    return refused(path, { code: 'binary' });
  }
  try {
    // ignoreBOM: true keeps the mark in the text.
    const content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { ok: true, content, bytes: bytes.length };
  } catch (error) {
    if (error instanceof TypeError) {
      return refused(path, { code: 'notUtf8' });
    }
    throw error;
  }
}
