import { rename, rm, writeFile } from 'node:fs/promises';
import { orIfMissing } from './failure.js';
import { readWhole } from './regularFile.js';

/** Returns the text of a small file, or '' when the file is missing. Throws the errors of `withFile`. */
export async function readText(path: string): Promise<string> {
  return (await orIfMissing(readWhole(path), '')).toString('utf8');
}

/** Replaces a small file in one step; '' removes it. Throws Node's system errors; the old file is then unchanged. */
export async function replaceText(path: string, text: string): Promise<void> {
  if (text === '') {
    await rm(path, { force: true });
    return;
  }
  const unfinished = `${path}.new`;
  try {
    // Flushes before the rename. If only the new name reached the disk before a crash, both texts would be lost.
    await writeFile(unfinished, text, { encoding: 'utf8', flush: true });
    await rename(unfinished, path);
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw thrown;
  }
}
