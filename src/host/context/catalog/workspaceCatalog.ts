import { EMPTY_CATALOG, type Catalog } from '../../../engine/context/catalogItem.js';
import type { WorkspaceFiles } from '../files/workspaceFiles.js';

/** The rules and references that chats may hold, as they are now. */
export interface CatalogSource {
  /** Whether the workspace is not trusted: then none of it is sent. */
  readonly isRestricted: () => boolean;
  /** Empty in a workspace that is not trusted. Never rejects. */
  readonly read: () => Promise<Catalog>;
}

export interface WorkspaceCatalogPorts {
  readonly files: () => WorkspaceFiles;
  readonly isTrusted: () => boolean;
  readonly logInfo: (text: string) => void;
}

/** The catalog of the workspace, read once and again after each change. */
export class WorkspaceCatalog implements CatalogSource {
  readonly isRestricted: () => boolean;
  readonly #files: () => WorkspaceFiles;
  readonly #logInfo: (text: string) => void;
  #catalog: Promise<Catalog> | null = null;

  constructor({ files, isTrusted, logInfo }: WorkspaceCatalogPorts) {
    this.#files = files;
    this.#logInfo = logInfo;
    this.isRestricted = () => !isTrusted();
  }

  read(): Promise<Catalog> {
    if (this.isRestricted()) {
      return Promise.resolve(EMPTY_CATALOG);
    }
    this.#catalog ??= readFrom(this.#files(), this.#logInfo);
    return this.#catalog;
  }

  /** To be called when a file of it, or the folders of the workspace, have changed. */
  changed(): void {
    this.#catalog = null;
  }
}

async function readFrom(files: WorkspaceFiles, logInfo: (text: string) => void): Promise<Catalog> {
  const { paths, leftOut } = await files.catalogPaths();
  if (leftOut > 0) {
    logInfo(`Rules and references: the first ${String(paths.length)} files are read, ${String(leftOut)} more are left out.`);
  }
  if (paths.length === 0) {
    return EMPTY_CATALOG;
  }
  // Loaded with the first rule: activation does not need YAML.
  const { readCatalog } = await import('./readCatalog.js');
  return readCatalog(paths, (path) => files.read(path));
}
