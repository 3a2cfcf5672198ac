import { constants, type BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { FileRead } from '../../../engine/context/fileContents.js';
import { isSameFile, notAFile, realPath, type RealPath } from './realPath.js';
import { refused, systemRefusal, type Refusal } from './refusal.js';

/**
 * The largest file in a prompt, 1 MiB: some 250,000 tokens of code, more than nearly every model accepts. A larger file
 * is probably data, and reading it would only slow down the extension host.
 */
export const MAX_FILE_BYTES = 1024 * 1024;

/** Called after the check of a file, and again after its opening. Tests replace files at these stages. */
export type OnStage = (stage: 'checked' | 'opened') => Promise<void>;

export interface FileToRead {
  /** The absolute path on disk. Links in it are followed. */
  readonly place: string;
  readonly path: string;
  /** The workspace folders. One of them must contain the file. */
  readonly folders: readonly string[];
  readonly onStage: OnStage;
}

/**
 * Reads a text file inside the workspace. Refuses anything but a regular file before opening it, because a pipe blocks.
 * Another program may replace the file after the check. So the resolved path is opened without following links, and the
 * open file must be the checked one and still be at its path. (A hard link is accepted.)
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

/** Returns a refusal when the opened file is not the checked one, or is no longer at its path. */
async function swapped(file: FileToRead, opened: BigIntStats, checked: RealPath): Promise<Refusal | null> {
  const now = await realPath(file.place, file.path, file.folders);
  if (!now.ok) {
    return now;
  }
  const isSame = isSameFile(opened, checked.stats) && isSameFile(opened, now.stats);
  return isSame ? null : refused(file.path, { code: 'replaced' });
}

/** Opens without blocking or following links. Windows lacks both flags; the check of the open file suffices there. */
function openFlags(): number {
  const known: Readonly<Record<string, number | undefined>> = constants;
  return constants.O_RDONLY | (known['O_NONBLOCK'] ?? 0) | (known['O_NOFOLLOW'] ?? 0);
}

function tooLarge(path: string, bytes: bigint): Refusal | null {
  return bytes <= MAX_FILE_BYTES ? null : refused(path, { code: 'tooLarge', bytes: Number(bytes) });
}

const CHUNK_BYTES = 64 * 1024;

/** Reads to the end of the file, but stops after more than `most` bytes, because the file may grow meanwhile. */
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
 * Decodes a file without loss: refuses invalid UTF-8 instead of inserting U+FFFD, and keeps a byte order mark as
 * U+FEFF. A NUL byte marks a binary file.
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
