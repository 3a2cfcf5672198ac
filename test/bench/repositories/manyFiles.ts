import { cp, readdir, appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { languageOf } from '../../../src/tools/symbols/languages.js';
import { downloadPackage } from '../../support/setup.mjs';
import { codeBases } from './questions.js';

/**
 * Fills a folder with source files: copies of the code bases, each in a folder of its own. Empty lines make each file
 * differ from its other copies, so that the scan parses all. Returns the paths of the first `count` source files.
 */
export async function writeManyFiles(folder: string, count: number): Promise<readonly string[]> {
  const written: string[] = [];
  for (let copy = 0; written.length < count; copy += 1) {
    for (const base of codeBases()) {
      const name = `${base.package}-${String(copy)}`;
      await cp(join(await downloadPackage({ ...base, name: base.package }), base.folder), join(folder, name), { recursive: true });
      const paths = (await readdir(join(folder, name), { recursive: true })).map((path) => `${name}/${path.replaceAll('\\', '/')}`);
      for (const path of paths.filter((each) => languageOf(each) !== null)) {
        await appendFile(join(folder, path), '\n'.repeat(copy));
        written.push(path);
      }
    }
  }
  return written;
}
