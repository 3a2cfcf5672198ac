import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileRead } from '../../../engine/context/fileContents.js';
import { failIfAborted } from '../../../engine/errors.js';
import { compareNaturally, hasBinaryExtension } from './fileNames.js';
import { systemRefusal } from './refusal.js';
import ignore, { type Ignore } from 'ignore';

/**
 * Maximum number of files that "add folder" adds. This many small files already fill a context window of 200,000
 * tokens.
 */
export const MAX_FOLDER_FILES = 200;

/** Folders that Loupe always skips, because they never contain the user's source. */
const SKIPPED_NAMES: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** A folder to list. Workspace paths are '' or end with a slash. */
export interface FolderToList {
  /** The absolute path on disk, with all links resolved. */
  readonly place: string;
  readonly path: string;
  /** Workspace paths of the outer folders, from the workspace folder down. Their `.gitignore` files apply too. */
  readonly above: readonly string[];
}

export interface ListLimits {
  /** Maximum number of files to list. Usually `MAX_FOLDER_FILES`. */
  readonly most: number;
  readonly signal: AbortSignal;
}

export type ReadIgnoreFile = (path: string) => Promise<FileRead>;

export interface FolderFiles {
  /** Workspace paths, sorted within each folder. */
  readonly files: readonly string[];
  /** The first file beyond the limit. Null when all files are listed. */
  readonly next: string | null;
  /** A sentence for each excluded folder, and for each folder or `.gitignore` file that cannot be read. */
  readonly notes: readonly string[];
}

/**
 * Lists files of folders, without binary extensions and files that `.gitignore` excludes. Does not follow links, so no
 * file is listed twice or is outside the folders. Throws `cancelled` when the signal aborts.
 */
export async function listTextFiles(folders: readonly FolderToList[], limits: ListLimits, read: ReadIgnoreFile): Promise<FolderFiles> {
  const listing = new Listing(limits, read);
  for (const folder of folders) {
    await listing.start(folder);
  }
  return { files: listing.files, next: listing.next, notes: listing.notes };
}

/** Whether a listing skips a path without reading any `.gitignore`: it is in `.git` or `node_modules`. */
export function isAlwaysSkipped(path: string): boolean {
  return path.split('/').some((name) => SKIPPED_NAMES.has(name));
}

/** Whether a listing skips a path. `above`: the folders above the path, from the workspace folder down. */
export async function isIgnoredPath(path: string, above: readonly string[], read: ReadIgnoreFile): Promise<boolean> {
  if (isAlwaysSkipped(path)) {
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

  async #visit(place: string, path: string, outerRules: IgnoreRules): Promise<void> {
    failIfAborted(this.#limits.signal, 'file.listingStopped');
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
      this.notes.push(`Loupe did not apply a .gitignore file: ${file.reason}`);
    }
    return outerRules;
  }

  /** Returns the entries in natural order. Empty, with a note, for a folder that cannot be read. */
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

/** The rules of one `.gitignore`. */
interface IgnoreLevel {
  /** Workspace path of the file's folder: '' or ending with a slash. */
  readonly folder: string;
  readonly rules: Ignore;
}

/** The `.gitignore` files that apply in a folder, outermost first. Immutable. */
type IgnoreRules = readonly IgnoreLevel[];

/** Returns `rules` plus the rules in the `.gitignore` of `folder`. The path `folder` is '' or ends with a slash. */
function withIgnoreFile(rules: IgnoreRules, folder: string, content: string): IgnoreRules {
  return [...rules, { folder, rules: ignore().add(content) }];
}

/** Whether `.gitignore` excludes `path`. A folder ends with a slash. As in git, the innermost matching file decides. */
function isIgnored(rules: IgnoreRules, path: string): boolean {
  for (const level of rules.toReversed()) {
    const { ignored, unignored } = level.rules.test(path.slice(level.folder.length));
    if (ignored || unignored) {
      return ignored;
    }
  }
  return false;
}
