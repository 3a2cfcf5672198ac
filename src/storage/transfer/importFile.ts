import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { failure } from '../../engine/errors.js';
import { checkCopy, type ImportLosses } from './checkCopy.js';
import { chatFiles, type FillCopy, type FilledCopy } from './copyChat.js';
import { partOf, type CopyWatch } from '../files/copyWatch.js';
import { beginsLikeLog, fillFromLines, LOG_BEGINNING_BYTES } from './importLines.js';
import { fillFromZip } from './importZip.js';
import { segmentWriter } from '../files/layout.js';
import { LineGuard } from '../log/lineGuard.js';
import { readRange } from '../files/regularFile.js';
import { copyFiles } from './sourceFile.js';

/*
 * An exported chat is untrusted: it may be cut, damaged, made by another program, or malicious. So an import writes
 * only files with the names of segments and blobs, verifies the checksum of each line and blob, and limits sizes.
 */

/** The first bytes of zip files: one with files, and an empty one. */
const ZIP_BEGINNINGS: readonly string[] = ['PK\x03\x04', 'PK\x05\x06'];

/** The share of the progress for copying. The rest is for the check of the copy. */
const COPY_SHARE = 0.6;

/**
 * Writes and checks the chat in an exported file or folder. The format follows from the content. Returns what was lost.
 * Throws `invalidInput` for a newer chat or without a chat, system errors, and `cancelled`.
 */
export function fillFromExport(path: string, watch: CopyWatch): FillCopy<FilledCopy<ImportLosses>> {
  const name = basename(path);
  return async (to, files) => {
    const fill = await fillOf(path, name, partOf(watch, 0, COPY_SHARE));
    return checkCopy(to, { name, lostLines: await fill(to, files) }, partOf(watch, COPY_SHARE, 1));
  };
}

/** Returns the function that copies the file. That function returns the number of cut or damaged lines. */
async function fillOf(path: string, name: string, watch: CopyWatch): Promise<FillCopy<number>> {
  if ((await stat(path)).isDirectory()) {
    return fillFromExportedFolder(path, name, watch);
  }
  const beginning = await readRange(path, 0, LOG_BEGINNING_BYTES);
  if (ZIP_BEGINNINGS.includes(beginning.toString('latin1', 0, 4))) {
    return fillFromZip(path, name, watch);
  }
  if (!beginsLikeLog(beginning)) {
    throw failure('import.foreign', { name });
  }
  return fillFromLines(path, name, watch);
}

function fillFromExportedFolder(path: string, name: string, watch: CopyWatch): FillCopy<number> {
  const guard = new LineGuard(name);
  return async (to, files) => {
    const sources = await chatFiles(path);
    const segments = sources.filter((source) => segmentWriter(source.name) !== null);
    const beginnings = await Promise.all(segments.map((segment) => readRange(join(path, segment.name), 0, LOG_BEGINNING_BYTES)));
    if (!beginnings.some(beginsLikeLog)) {
      throw failure('import.foreign', { name });
    }
    await copyFiles(sources, { to, files, seen: guard.see.bind(guard) }, watch);
    return 0;
  };
}
