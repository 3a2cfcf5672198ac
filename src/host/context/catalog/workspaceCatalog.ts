import { EMPTY_CATALOG, type Catalog } from '../../../engine/context/catalogItem.js';
import type { Score } from '../../../engine/context/rank/lexical.js';
import type { WorkspaceFiles } from '../files/workspaceFiles.js';
import type { CatalogRanker } from './catalogRanker.js';

/** The rules and references that chats may hold, as they are now. */
export interface CatalogSource {
  /** Whether the workspace is not trusted: then none of it is sent. */
  readonly isRestricted: () => boolean;
  /** Empty in a workspace that is not trusted. Never rejects. */
  readonly read: () => Promise<Catalog>;
  /** The items that fit a message, the best first, at most `most`. Never rejects. */
  readonly rank: (message: string, most: number) => Promise<readonly Score[]>;
}

export interface WorkspaceCatalogPorts {
  readonly files: () => WorkspaceFiles;
  /** The places on disk of all files that may be rules for what is in their folder. */
  readonly findNested: () => Promise<readonly string[]>;
  readonly isTrusted: () => boolean;
  readonly logInfo: (text: string) => void;
}

/** The catalog of the workspace, read once and again after each change. */
export class WorkspaceCatalog implements CatalogSource {
  readonly isRestricted: () => boolean;
  readonly #ports: WorkspaceCatalogPorts;
  #catalog: Promise<Catalog> | null = null;
  /** The catalog as it was last read. */
  #latest: Catalog = EMPTY_CATALOG;
  #ranker: CatalogRanker | null = null;

  constructor(ports: WorkspaceCatalogPorts) {
    this.#ports = ports;
    this.isRestricted = () => !ports.isTrusted();
  }

  read(): Promise<Catalog> {
    if (this.isRestricted()) {
      return Promise.resolve(EMPTY_CATALOG);
    }
    this.#catalog ??= this.#readAnew();
    return this.#catalog;
  }

  async rank(message: string, most: number): Promise<readonly Score[]> {
    const catalog = await this.read();
    if (message.trim() === '' || catalog.size === 0) {
      return [];
    }
    // Loaded with the first message for which something may be picked.
    const { CatalogRanker } = await import('./catalogRanker.js');
    this.#ranker ??= new CatalogRanker();
    return this.#ranker.rank(catalog, message, most);
  }

  /** To be called when a file of it, or the folders of the workspace, have changed. */
  changed(): void {
    this.#catalog = null;
  }

  async #readAnew(): Promise<Catalog> {
    const { files, findNested, logInfo } = this.#ports;
    const { paths, leftOut } = await files().catalogPaths(await findNested());
    if (leftOut > 0) {
      logInfo(`Rules and references: the first ${String(paths.length)} files are read, ${String(leftOut)} more are left out.`);
    }
    if (paths.length === 0) {
      return EMPTY_CATALOG;
    }
    // Loaded with the first rule: activation does not need YAML.
    const { readCatalog } = await import('./readCatalog.js');
    this.#latest = await readCatalog(paths, (path) => files().read(path), this.#latest);
    return this.#latest;
  }
}
