import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileRead } from '../../engine/context/fileContext.js';
import { refuseAborted } from '../../engine/errors.js';
import { isIgnored, withIgnoreFile, type IgnoreRules } from './ignoreRules.js';
import { systemRefusal } from './refusal.js';

/**
 * The most files that "add folder" takes at once. Even small files fill a window of 200,000 tokens by then; who
 * wants more is better served by the repository structure.
 */
export const MAX_FOLDER_FILES = 200;

/** Never source, whatever `.gitignore` says. */
const SKIPPED_NAMES: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * Extensions of files that are never text: they are left out without being opened. What slips through is refused,
 * with the reason, when it is read.
 */
const BINARY_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    'png jpg jpeg gif webp bmp ico icns tif tiff avif heic psd mp3 mp4 m4a wav ogg flac avi mov mkv webm ' +
    'zip gz bz2 xz zst tgz 7z rar jar war whl vsix pdf doc docx xls xlsx ppt pptx odt ' +
    'woff woff2 ttf otf eot exe dll so dylib a o obj lib class pyc pyo wasm bin dat db sqlite'
  ).split(' '),
);

/** A folder to list. Workspace paths are '' or end with a slash. */
export interface FolderToList {
  /** Where it is on disk, without links. */
  readonly place: string;
  readonly path: string;
  /** The workspace paths of the folders above it, from its root on: their `.gitignore` files apply too. */
  readonly above: readonly string[];
}

export interface ListLimits {
  /** The most files to list; usually `MAX_FOLDER_FILES`. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Reads a `.gitignore` by its workspace path. */
export type ReadIgnoreFile = (path: string) => Promise<FileRead>;

/** Workspace paths of files, sorted within each folder, and in words what else was left out or went wrong. */
export interface FolderFiles {
  readonly files: readonly string[];
  readonly notes: readonly string[];
}

/**
 * The files under some folders that may be text, but for what `.gitignore` files exclude. Links are not followed,
 * so nothing is found twice and nothing outside. Throws `cancelled` when the signal aborts.
 */
export async function listTextFiles(folders: readonly FolderToList[], limits: ListLimits, read: ReadIgnoreFile): Promise<FolderFiles> {
  const listing = new Listing(limits, read);
  for (const folder of folders) {
    await listing.start(folder);
  }
  return { files: listing.files, notes: listing.notes };
}

class Listing {
  readonly files: string[] = [];
  readonly notes: string[] = [];
  readonly #limits: ListLimits;
  readonly #read: ReadIgnoreFile;
  #isFull = false;

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

  /** Lists one folder and those in it. */
  async #visit(place: string, path: string, outerRules: IgnoreRules): Promise<void> {
    refuseAborted(this.#limits.signal, 'file.listingStopped');
    const rules = await this.#rulesIn(path, outerRules);
    for (const entry of await this.#entries(place, path)) {
      if (this.#isFull) {
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
    const { most } = this.#limits;
    if (this.files.length < most) {
      this.files.push(name);
    } else {
      this.#isFull = true;
      this.notes.push(`There are more than ${String(most)} files: those from ${name} on are left out.`);
    }
  }

  async #rulesIn(path: string, outerRules: IgnoreRules): Promise<IgnoreRules> {
    const file = await this.#read(`${path}.gitignore`);
    if (file.ok) {
      return withIgnoreFile(outerRules, path, file.content);
    }
    if (file.problem.code !== 'missing') {
      this.notes.push(`The rules of a .gitignore are not applied: ${file.reason}`);
    }
    return outerRules;
  }

  /** Sorted by UTF-16 code unit; nothing, with a note, where the folder cannot be read. */
  async #entries(place: string, path: string): Promise<Dirent[]> {
    try {
      const entries = await readdir(place, { withFileTypes: true });
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      this.notes.push(systemRefusal(path === '' ? 'The workspace folder' : path, error).reason);
      return [];
    }
  }
}

function hasBinaryExtension(name: string): boolean {
  return BINARY_EXTENSIONS.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}
