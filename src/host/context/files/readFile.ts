import { isAscii } from 'node:buffer';
import { constants, type BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { type FileRead, textOfBytes } from '../../../engine/context/fileContents.js';
import { isNotebook } from '../../../engine/context/notebook.js';
import { isSameFile, notAFile, realPath, type RealPath } from './realPath.js';
import { refused, systemRefusal, type Refusal } from './refusal.js';

/**
 * Maximum size of a file in a prompt: 1 MiB, about 250,000 tokens of code. Few models accept more. A larger file is
 * probably data, and reading it would slow down the extension host.
 */
export const MAX_FILE_BYTES = 1024 * 1024;

/** Maximum size of a notebook on disk. Most of it is usually images, which prompts do not contain. */
const MAX_NOTEBOOK_BYTES = 4 * MAX_FILE_BYTES;

/** The encodings in which VS Code opens files. */
export interface EditorEncodings {
  /** Returns the encoding of a file: of its open editor, otherwise of the setting `files.encoding`, such as `utf8`. */
  of(place: string): string;
  /** Decodes a file as VS Code's editor does. Rejects for a binary file. Replaces invalid bytes by U+FFFD. */
  decode(bytes: Uint8Array, place: string): Promise<string>;
}

/** Called after the check of a file and after its opening. Tests use these stages to replace the file. */
export type OnStage = (stage: 'checked' | 'opened') => Promise<void>;

export interface FileToRead {
  /** Absolute path on disk, with or without links. */
  readonly place: string;
  readonly path: string;
  /** The workspace folders. One of them must contain the file. */
  readonly folders: readonly string[];
  readonly encodings: EditorEncodings;
  readonly onStage: OnStage;
}

/**
 * Reads a text file inside the workspace. Opens only regular files, because a pipe would block. Another program may
 * replace the file after the check. Therefore opens the resolved path without following links. The opened file must be
 * the checked file, and must still be at its path. (Accepts hard links.)
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
  const bytes = await readUpTo(handle, mostBytes(file.path));
  return tooLarge(file.path, BigInt(bytes.length)) ?? (await decodeText(file, bytes));
}

/** Returns a refusal if the opened file is not the checked file, or is no longer at its path. */
async function swapped(file: FileToRead, opened: BigIntStats, checked: RealPath): Promise<Refusal | null> {
  const now = await realPath(file.place, file.path, file.folders);
  if (!now.ok) {
    return now;
  }
  const isSame = isSameFile(opened, checked.stats) && isSameFile(opened, now.stats);
  return isSame ? null : refused(file.path, { code: 'replaced' });
}

/** Returns flags to open without blocking or following links. Windows has no such flags; the later check is enough. */
function openFlags(): number {
  const known: Readonly<Record<string, number | undefined>> = constants;
  return constants.O_RDONLY | (known['O_NONBLOCK'] ?? 0) | (known['O_NOFOLLOW'] ?? 0);
}

function tooLarge(path: string, bytes: bigint): Refusal | null {
  return bytes <= mostBytes(path) ? null : refused(path, { code: 'tooLarge', bytes: Number(bytes) });
}

function mostBytes(path: string): number {
  return isNotebook(path) ? MAX_NOTEBOOK_BYTES : MAX_FILE_BYTES;
}

const CHUNK_BYTES = 64 * 1024;

/** Reads to the end of the file. Stops after more than `most` bytes, because the file can grow. */
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
 * Decodes a file without loss, in the encoding of its editor. Refuses invalid text instead of inserting U+FFFD. Keeps a
 * byte order mark of UTF-8 as U+FEFF.
 */
async function decodeText({ path, place, encodings }: FileToRead, bytes: Buffer): Promise<FileRead> {
  // A PDF of text only is valid UTF-8, but its source is useless to a model.
  if (bytes.subarray(0, PDF.length).equals(PDF)) {
    return refused(path, { code: 'binary' });
  }
  const utf8 = textOfBytes(bytes);
  if (utf8 !== null && (isAscii(bytes) || utf8.startsWith(BYTE_ORDER_MARK) || UTF8_NAMES.has(encodings.of(place)))) {
    return { ok: true, content: utf8, bytes: bytes.length };
  }
  let content: string;
  try {
    content = await encodings.decode(bytes, place);
  } catch {
    // VS Code has one reason to reject: the bytes look binary.
    return refused(path, { code: 'binary' });
  }
  if (content.includes('\0')) {
    return refused(path, { code: 'binary' });
  }
  return content.includes(REPLACEMENT) ? refused(path, { code: 'notUtf8' }) : { ok: true, content, bytes: bytes.length };
}

/** The first bytes of every PDF file (ISO 32000-2, 7.5.2). */
const PDF = Buffer.from('%PDF-');

const BYTE_ORDER_MARK = '\uFEFF';

const UTF8_NAMES: ReadonlySet<string> = new Set(['utf8', 'utf8bom']);

/** VS Code inserts this character for bytes that are invalid in the encoding. */
const REPLACEMENT = '\uFFFD';
