import { rename, rm, writeFile } from 'node:fs/promises';
import { whereThere } from './failure.js';
import { readWhole } from './regularFile.js';

/** The text of a small file; '' when there is none. Throws as `openFile` does. */
export async function readText(path: string): Promise<string> {
  return (await whereThere(readWhole(path), '')).toString('utf8');
}

/**
 * Replaces a small file in one step, so that nobody reads half of it; '' removes it. Throws Node's system errors, and
 * then the file is as it was.
 */
export async function replaceText(path: string, text: string): Promise<void> {
  if (text === '') {
    await rm(path, { force: true });
    return;
  }
  const unfinished = `${path}.new`;
  try {
    // Flushed: a name that gets to the disk before its content would leave neither the old text nor the new one.
    await writeFile(unfinished, text, { encoding: 'utf8', flush: true });
    await rename(unfinished, path);
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw thrown;
  }
}
