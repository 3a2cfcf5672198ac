import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Returns a function that makes a folder with these texts by path. Removes the folders after each test. */
export function useFolders(): (texts: Readonly<Record<string, string>>) => Promise<string> {
  const folders: string[] = [];
  afterEach(async () => {
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  });
  return async (texts) => {
    const folder = await mkdtemp(join(tmpdir(), 'loupe-folder-'));
    folders.push(folder);
    const places = Object.entries(texts).map(([path, text]) => [join(folder, path), text] as const);
    await Promise.all([...new Set(places.map(([place]) => dirname(place)))].map((parent) => mkdir(parent, { recursive: true })));
    await Promise.all(places.map(([place, text]) => writeFile(place, text)));
    return folder;
  };
}
