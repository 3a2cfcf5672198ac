import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { systemCode } from './failure.js';

/** The text of a small file; '' when there is none. Throws Node's system errors. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') {
      return '';
    }
    throw thrown;
  }
}

/** Replaces a small file in one step, so that nobody reads half of it; '' removes it. Throws Node's system errors. */
export async function replaceText(path: string, text: string): Promise<void> {
  if (text === '') {
    await rm(path, { force: true });
    return;
  }
  await writeFile(`${path}.new`, text, 'utf8');
  await rename(`${path}.new`, path);
}
