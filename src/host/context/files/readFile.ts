import { constants, type BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { FileRead } from '../../../engine/context/fileContents.js';
import { isSameFile, notAFile, realPath, type RealPath } from './realPath.js';
import { refused, systemRefusal, type Refusal } from './refusal.js';

/**
 * The largest file that goes into a prompt, 1 MiB: some 250,000 tokens of code, more than nearly every model takes. A
 * larger file is data, and reading it would only slow the extension host.
 */
export const MAX_FILE_BYTES = 1024 * 1024;

/** Runs after a file was checked and before it is opened, and again once it is open: tests swap files there. */
export type OnStage = (stage: 'checked' | 'opened') => Promise<void>;

export interface FileToRead {
  /** The absolute path on disk; links in it are followed. */
  readonly place: string;
  /** The path that the user knows. */
  readonly path: string;
  /** The workspace's folders: one of them must hold the file. */
  readonly folders: readonly string[];
  readonly onStage: OnStage;
}

/**
 * Reads a text file. Anything but a regular file is refused before it is opened, so nothing blocks. Against a swap
 * between check and opening, the resolved path is opened without following links and without blocking. The opened
 * file must then be the checked one, and still be at its path inside the workspace. (A hard link is a file of the
 * workspace, wherever else it is linked.)
 */
export async function readTextFile(file: FileToRead): Promise<FileRead> {
  const checked = await realPath(file.place, file.path, file.folders);
  if (!checked.ok) {
    return checked;
  }
  const unfit = notAFile(file.path, checked.stats) ?? tooLarge(file.path, checked.stats.size);
  if (unfit !== null) {
    return unfit;
  }
  await file.onStage('checked');
  try {
    const handle = await open(checked.diskPath, openFlags());
    try {
      return await readOpened(file, handle, checked);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return systemRefusal(file.path, error);
  }
}

async function readOpened(file: FileToRead, handle: FileHandle, checked: RealPath): Promise<FileRead> {
  const stats = await handle.stat({ bigint: true });
  await file.onStage('opened');
  const unfit = notAFile(file.path, stats) ?? (await swapped(file, stats, checked));
  if (unfit !== null) {
    return unfit;
  }
  const bytes = await readUpTo(handle, MAX_FILE_BYTES);
  return tooLarge(file.path, BigInt(bytes.length)) ?? decodeText(file.path, bytes);
}

/** A refusal when the opened file is not the checked one, or is no longer at its path. */
async function swapped(file: FileToRead, opened: BigIntStats, checked: RealPath): Promise<Refusal | null> {
  const now = await realPath(file.place, file.path, file.folders);
  if (!now.ok) {
    return now;
  }
  const isSame = isSameFile(opened, checked.stats) && isSameFile(opened, now.stats);
  return isSame ? null : refused(file.path, { code: 'replaced' });
}

/** Windows lacks `O_NONBLOCK` and `O_NOFOLLOW`: no file there blocks on opening, and the check of the open file must suffice. */
function openFlags(): number {
  const known: Readonly<Record<string, number | undefined>> = constants;
  return constants.O_RDONLY | (known['O_NONBLOCK'] ?? 0) | (known['O_NOFOLLOW'] ?? 0);
}

function tooLarge(path: string, bytes: bigint): Refusal | null {
  return bytes <= MAX_FILE_BYTES ? null : refused(path, { code: 'tooLarge', bytes: Number(bytes) });
}

const CHUNK_BYTES = 64 * 1024;

/** Reads to the end of the file, but stops after more than `most` bytes: a file may grow while it is read. */
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
 * Decodes a file. Nothing is invented or dropped: invalid UTF-8 is refused instead of becoming U+FFFD, and a byte
 * order mark stays as U+FEFF. A NUL byte marks a binary file.
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
