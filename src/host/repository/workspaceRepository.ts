import { setImmediate } from 'node:timers/promises';
import { failure, type LoupeError, toLoupeError } from '../../engine/errors.js';
import { Listeners } from '../../engine/listeners.js';
import type { ReadRepository, RepositorySource, WantedRepository } from '../../engine/next/repository.js';
import type { NotSelectedReason } from '../../engine/record/item.js';
import { fileTree } from '../../engine/repository/fileTree.js';
import type { RepositoryIndex } from '../../engine/repository/repositoryIndex.js';
import { mapPieces, NO_REPOSITORY, treePieces } from '../../engine/repository/repositoryTexts.js';
import { NO_LINKS } from '../../engine/repository/fileLinks.js';
import type { ScannedFile } from '../../engine/repository/symbols.js';
import type { FolderListing } from '../context/files/workspaceFiles.js';
import { slowWork, type SlowWorkPorts } from '../window/slowWork.js';

/** Maximum number of files in the map. More would take minutes to read, and hundreds of megabytes of memory. */
const MOST_MAPPED_FILES = 20_000;

/** Number of files that enter the index between two pauses: some milliseconds of work. */
const PUT_AT_ONCE = 20;

export interface WorkspaceRepositoryPorts extends SlowWorkPorts {
  readonly isTrusted: () => boolean;
  readonly makeIndex: () => Promise<RepositoryIndex>;
  /** Lists the text files of the workspace that `.gitignore` does not exclude. */
  readonly list: (limits: { readonly most: number; readonly signal: AbortSignal }) => Promise<FolderListing>;
  /** Scans these files, by workspace path. Files that have not changed since the last scan take little time. */
  readonly scan: (paths: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, ScannedFile>>;
  /** Calls the function after each change of a file, with its workspace path. Called once, at the first use. */
  readonly watch: (changed: (path: string) => void) => void;
  readonly logInfo: (text: string) => void;
  readonly logError: (error: LoupeError) => void;
}

interface Read {
  readonly index: RepositoryIndex;
  readonly paths: readonly string[];
  /** The last line of the file tree. Empty if the tree has all files. */
  readonly note: string;
}

/** The files of the workspace and their definitions, read at the first use and again after changes. */
export class WorkspaceRepository implements RepositorySource {
  readonly #ports: WorkspaceRepositoryPorts;
  readonly #listeners = new Listeners<[]>();
  /** Calls the listener after the map may have changed. */
  readonly onChange = this.#listeners.add;
  #read: Read | null = null;
  #isReading = false;
  /** Paths that have changed since the last reading. */
  readonly #changed = new Set<string>();
  #isWatching = false;
  /** Why the last reading failed, or null. The user tries again with a change of the settings. */
  #failed: { readonly settings: string; readonly reason: NotSelectedReason } | null = null;

  constructor(ports: WorkspaceRepositoryPorts) {
    this.#ports = ports;
  }

  async read(wanted: WantedRepository): Promise<ReadRepository | NotSelectedReason> {
    if (!this.#ports.isTrusted()) {
      return { code: 'restricted' };
    }
    const settings = JSON.stringify(wanted.wishes);
    const failed = this.#failed?.settings === settings ? this.#failed.reason : null;
    if (failed === null && (this.#read === null || this.#changed.size > 0)) {
      void this.#readFiles(settings);
    }
    if (this.#read === null) {
      return failed ?? { code: 'beingRead' };
    }
    try {
      return await this.#texts(this.#read, wanted);
    } catch (thrown) {
      // A request without a map is better than no request.
      const error = toLoupeError(thrown);
      this.#ports.logError(error);
      return { code: 'mapFailed', text: error.message };
    }
  }

  async #texts({ index, paths, note }: Read, { wishes, parts, message, files, counter }: WantedRepository): Promise<ReadRepository> {
    const { most, without } = wishes;
    const isMapped = (path: string): boolean => !without.some((folder) => path.startsWith(folder));
    const mapped = paths.filter(isMapped);
    if (mapped.length === 0) {
      return { ...NO_REPOSITORY, links: NO_LINKS };
    }
    const room = most.tree - counter.count(note);
    const tree = parts.includes('tree') ? fileTree(mapped, room, (text) => counter.count(text)) : null;
    const map = parts.includes('map') ? await index.map({ message, files, without, most: most.map, counter }, setImmediate) : [];
    const links = parts.includes('map') ? await index.links(files, setImmediate) : NO_LINKS;
    return { tree: tree === null ? [] : treePieces(wishes, tree + note), map: mapPieces(wishes, map), links };
  }

  /** Reads all files, or the changed files. Never rejects. */
  async #readFiles(settings: string): Promise<void> {
    if (this.#isReading) {
      return;
    }
    this.#isReading = true;
    this.#watch();
    const changed = [...this.#changed];
    this.#changed.clear();
    try {
      await slowWork((signal) => this.#scan(changed, signal), this.#ports);
      this.#failed = null;
    } catch (thrown) {
      const error = toLoupeError(thrown);
      changed.forEach((path) => this.#changed.add(path));
      this.#failed = { settings, reason: { code: 'mapFailed', text: error.message } };
      if (error.kind !== 'cancelled') {
        this.#ports.logError(error);
      }
    } finally {
      this.#isReading = false;
    }
    this.#listeners.call();
  }

  async #scan(changed: readonly string[], signal: AbortSignal): Promise<void> {
    const known = this.#read;
    const listing = await this.#ports.list({ most: MOST_MAPPED_FILES, signal });
    if (!listing.ok) {
      throw failure('repository.notListed', { reason: listing.reason });
    }
    const { files, next, notes } = listing;
    const [before, now, again] = [new Set(known?.paths), new Set(files), new Set(changed)];
    const index = known?.index ?? (await this.#ports.makeIndex());
    const scanned = await this.#ports.scan(
      files.filter((path) => again.has(path) || !before.has(path)),
      signal,
    );
    for (const path of [...before].filter((each) => !now.has(each))) {
      index.delete(path);
    }
    for (const [at, file] of [...scanned.values()].entries()) {
      index.put(file);
      if (at % PUT_AT_ONCE === 0) {
        await setImmediate();
      }
    }
    const cut = next === null ? [] : [`The map has only the first ${MOST_MAPPED_FILES.toLocaleString('en-US')} files.`];
    this.#read = { index, paths: files, note: cut.map((text) => `\n(${text})`).join('') };
    this.#report(scanned, [...notes, ...cut]);
  }

  #report(scanned: ReadonlyMap<string, ScannedFile>, notes: readonly string[]): void {
    const problems = [...scanned.values()].flatMap(({ path, problem }) => (problem === null ? [] : [`${path}: ${problem}`]));
    for (const note of [...notes, ...problems]) {
      this.#ports.logInfo(`Repository map: ${note}`);
    }
  }

  #watch(): void {
    if (!this.#isWatching) {
      this.#isWatching = true;
      this.#ports.watch((path) => {
        this.#changed.add(path);
      });
    }
  }
}
