import { stemmer } from 'stemmer';
import type { ReadRepository, RepositorySource, WantedRepository } from '../../../src/engine/next/repository.js';
import { RepositoryIndex } from '../../../src/engine/repository/repositoryIndex.js';
import { WorkspaceRepository } from '../../../src/host/repository/workspaceRepository.js';
import type { SymbolScanner } from '../../../src/tools/symbols/symbolScanner.js';
import { ManualClock } from '../engine/ports.js';

/** The repository map of a folder on disk, scanned by a real thread. */
export class ScannedRepository implements RepositorySource {
  readonly source: WorkspaceRepository;
  #changed = (_path: string): void => undefined;
  #isChanged = false;

  /** `files`: paths relative to the folder `root`. */
  constructor(scanner: SymbolScanner, root: string, files: readonly string[]) {
    this.source = new WorkspaceRepository({
      isTrusted: () => true,
      makeIndex: () => Promise.resolve(new RepositoryIndex(stemmer)),
      list: () => Promise.resolve({ ok: true, files, next: null, notes: [] }),
      scan: (paths, signal) => scanner.scan({ root, files: paths, known: new Map(), signal, progress: () => undefined }),
      watch: (changed) => {
        this.#changed = changed;
      },
      clock: new ManualClock(),
      showBusy: () => undefined,
      offerCancel: () => undefined,
      logInfo: () => undefined,
      logError: (error) => {
        throw error;
      },
    });
  }

  /** Tells that these files have changed on disk. */
  edited(paths: readonly string[]): void {
    paths.forEach((path) => {
      this.#changed(path);
    });
    this.#isChanged ||= paths.length > 0;
  }

  /** Returns the map of the files as they are now. Rejects without a map. */
  async read(wanted: WantedRepository): Promise<ReadRepository> {
    const isRead = new Promise<void>((resolve) => {
      const stop = this.source.onChange(() => {
        stop();
        resolve();
      });
    });
    const before = await this.source.read(wanted);
    if ('code' in before ? before.code === 'beingRead' : this.#isChanged) {
      await isRead;
    }
    this.#isChanged = false;
    const read = await this.source.read(wanted);
    if ('code' in read) {
      throw new Error(`The map is missing: ${JSON.stringify(read)}`);
    }
    return read;
  }
}
