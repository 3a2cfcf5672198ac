import { join } from 'node:path';
import { stemmer } from 'stemmer';
import type { TokenCounter } from '../../../src/engine/ports.js';
import { defaultConfig } from '../../../src/engine/chat/settings/configValues.js';
import { RepositoryIndex } from '../../../src/engine/repository/repositoryIndex.js';
import { repositoryWishes, type RepositoryTexts } from '../../../src/engine/repository/repositoryTexts.js';
import { listTextFiles } from '../../../src/host/context/files/folderListing.js';
import { WorkspaceRepository } from '../../../src/host/repository/workspaceRepository.js';
import { systemClock } from '../../../src/host/window/systemPorts.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { SymbolScanner } from '../../../src/tools/symbols/symbolScanner.js';
import { root } from '../../support/paths.mjs';

/** With the default number of tokens. */
const WISHES = repositoryWishes({ ...defaultConfig(PRACTICE_STANDARD.ref), repositoryMap: 'map' });

/** The repository map of a folder, made by the parts of the extension that need no VS Code: its scan, index and map. */
export class BenchRepository {
  readonly #repository: WorkspaceRepository;
  readonly #counter: TokenCounter;
  readonly #scanner: SymbolScanner;
  #changed = (_path: string): void => undefined;

  /** `cache`: path of the file with stored symbols. */
  constructor(folder: string, cache: string, counter: TokenCounter) {
    this.#counter = counter;
    this.#scanner = new SymbolScanner({
      script: join(root, 'dist/symbolWorker.js'),
      grammars: join(root, 'dist/grammars'),
      cache,
      limitMs: 5_000,
      idleMs: 60_000,
      logInfo: () => undefined,
    });
    this.#repository = new WorkspaceRepository({
      isTrusted: () => true,
      makeIndex: () => Promise.resolve(new RepositoryIndex(stemmer)),
      list: async (limits) => ({
        ok: true,
        ...(await listTextFiles([{ place: folder, path: '', above: [] }], limits, () => Promise.resolve(NO_IGNORE_FILE))),
      }),
      scan: (files, signal) => this.#scanner.scan({ root: folder, files, known: new Map(), signal, progress: () => undefined }),
      watch: (changed) => {
        this.#changed = changed;
      },
      clock: systemClock,
      showBusy: () => undefined,
      offerCancel: () => undefined,
      logInfo: () => undefined,
      logError: (error) => {
        throw error;
      },
    });
  }

  /** Reads the files at the first call, or the changed files. Returns the map for a message, as a new chat sends it. */
  async readFiles(message: string): Promise<RepositoryTexts> {
    const read = new Promise<void>((resolve) => {
      const stop = this.#repository.onChange(() => {
        stop();
        resolve();
      });
    });
    await this.#read(message);
    await read;
    return this.map(message);
  }

  change(path: string): void {
    this.#changed(path);
  }

  async map(message: string): Promise<RepositoryTexts> {
    const read = await this.#read(message);
    if ('code' in read) {
      throw new Error(`There is no map: ${read.code}.`);
    }
    return read;
  }

  close(): void {
    this.#scanner.dispose();
  }

  #read(message: string): ReturnType<WorkspaceRepository['read']> {
    if (WISHES === null) {
      throw new Error('The map is off.');
    }
    return this.#repository.read({ wishes: WISHES, parts: ['tree', 'map'], message, files: new Set(), counter: this.#counter });
  }
}

const NO_IGNORE_FILE = { ok: false, problem: { code: 'missing' }, reason: '' } as const;

/** Returns the paths of the files whose definitions are in the map, in its order. */
export function mappedFiles({ map }: RepositoryTexts): readonly string[] {
  // The first piece is the heading.
  return map.slice(1).flatMap(({ text }) => {
    const [folder = '', ...lines] = text.split('\n');
    const names = lines.flatMap((line) => /^ {2}(\S.*)$/.exec(line)?.[1] ?? []);
    return names.map((name) => (folder === './' ? name : folder + name));
  });
}
