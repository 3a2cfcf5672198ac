import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileRead } from '../../../engine/context/fileContents.js';
import { refuseAborted } from '../../../engine/errors.js';
import { hasBinaryExtension } from './binaryExtensions.js';
import { isIgnored, withIgnoreFile, type IgnoreRules } from './ignoreRules.js';
import { compareNaturally } from './naturalOrder.js';
import { systemRefusal } from './refusal.js';

/**
 * The most files that "add folder" takes at once. So many small files already fill a window of 200,000 tokens; for
 * more, the repository structure serves better.
 */
export const MAX_FOLDER_FILES = 200;

/** Never source, whatever `.gitignore` says. */
const SKIPPED_NAMES: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** A folder to list. Workspace paths are '' or end with a slash. */
export interface FolderToList {
  /** The absolute path on disk, without links. */
  readonly place: string;
  readonly path: string;
  /** The workspace paths of the folders above, from the root on: their `.gitignore` files apply too. */
  readonly above: readonly string[];
}

export interface ListLimits {
  /** The most files to list; usually `MAX_FOLDER_FILES`. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Reads a `.gitignore` by its workspace path. */
export type ReadIgnoreFile = (path: string) => Promise<FileRead>;

/** The files of folders. */
export interface FolderFiles {
  /** Workspace paths, sorted within each folder. */
  readonly files: readonly string[];
  /** The first file that the limit left out; null when all are there. */
  readonly next: string | null;
  /** A sentence for each other omission or failure. */
  readonly notes: readonly string[];
}

/**
 * The files under some folders that may be text, without those that `.gitignore` files exclude. Links are not
 * followed, so no file is found twice or outside. Throws `cancelled` when the signal aborts.
 */
export async function listTextFiles(folders: readonly FolderToList[], limits: ListLimits, read: ReadIgnoreFile): Promise<FolderFiles> {
  const listing = new Listing(limits, read);
  for (const folder of folders) {
    await listing.start(folder);
  }
  return { files: listing.files, next: listing.next, notes: listing.notes };
}

/**
 * Whether a listing leaves out the file at a path because of a name in it or of `.gitignore` files. `above` are the workspace paths of its
 * folders, from the root on.
 */
export async function isLeftOut(path: string, above: readonly string[], read: ReadIgnoreFile): Promise<boolean> {
  if (path.split('/').some((name) => SKIPPED_NAMES.has(name))) {
    return true;
  }
  let rules: IgnoreRules = [];
  for (const folder of above) {
    if (isIgnored(rules, folder)) {
      return true;
    }
    const file = await read(`${folder}.gitignore`);
    rules = file.ok ? withIgnoreFile(rules, folder, file.content) : rules;
  }
  return isIgnored(rules, path);
}

class Listing {
  readonly files: string[] = [];
  readonly notes: string[] = [];
  next: string | null = null;
  readonly #limits: ListLimits;
  readonly #read: ReadIgnoreFile;

  constructor(limits: ListLimits, read: ReadIgnoreFile) {
    this.#limits = limits;
    this.#read = read;
  }

  async start({ place, path, above }: FolderToList): Promise<void> {
    let rules: IgnoreRules = [];
    for (const folder of above) {
      rules = await this.#rulesIn(folder, rules);
    }
    if (isIgnored(rules, path)) {
      this.notes.push(`The folder ${path} is excluded by .gitignore.`);
    } else {
      await this.#visit(place, path, rules);
    }
  }

  /** Lists one folder and its subfolders. */
  async #visit(place: string, path: string, outerRules: IgnoreRules): Promise<void> {
    refuseAborted(this.#limits.signal, 'file.listingStopped');
    const rules = await this.#rulesIn(path, outerRules);
    for (const entry of await this.#entries(place, path)) {
      if (this.next !== null) {
        return;
      }
      await this.#take(entry, place, path, rules);
    }
  }

  async #take(entry: Dirent, place: string, path: string, rules: IgnoreRules): Promise<void> {
    const name = path + entry.name;
    if (SKIPPED_NAMES.has(entry.name)) {
      return;
    }
    if (entry.isDirectory()) {
      if (!isIgnored(rules, `${name}/`)) {
        await this.#visit(join(place, entry.name), `${name}/`, rules);
      }
    } else if (entry.isFile() && !hasBinaryExtension(entry.name) && !isIgnored(rules, name)) {
      this.#add(name);
    }
  }

  #add(name: string): void {
    if (this.files.length < this.#limits.most) {
      this.files.push(name);
    } else {
      this.next = name;
    }
  }

  async #rulesIn(path: string, outerRules: IgnoreRules): Promise<IgnoreRules> {
    const file = await this.#read(`${path}.gitignore`);
    if (file.ok) {
      return withIgnoreFile(outerRules, path, file.content);
    }
    if (file.problem.code !== 'missing') {
      this.notes.push(`The rules of a .gitignore file were not applied: ${file.reason}`);
    }
    return outerRules;
  }

  /** In natural order. Empty, with a note, when the folder cannot be read. */
  async #entries(place: string, path: string): Promise<Dirent[]> {
    try {
      const entries = await readdir(place, { withFileTypes: true });
      return entries.sort((a, b) => compareNaturally(a.name, b.name));
    } catch (error) {
      this.notes.push(systemRefusal(path === '' ? 'The workspace folder' : path, error).reason);
      return [];
    }
  }
}
