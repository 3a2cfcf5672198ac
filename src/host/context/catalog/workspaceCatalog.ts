import { EMPTY_CATALOG, type Catalog } from '../../../engine/context/catalogItem.js';
import type { WorkspaceFiles } from '../files/workspaceFiles.js';

/** The rules and references that chats may hold, as they are now. */
export interface CatalogSource {
  /** Whether the workspace is not trusted: then none of it is sent. */
  readonly isRestricted: () => boolean;
  /** Empty in a workspace that is not trusted. Never rejects. */
  readonly read: () => Promise<Catalog>;
}

/** The catalog of the workspace, read once and again after each change. */
export class WorkspaceCatalog implements CatalogSource {
  readonly isRestricted: () => boolean;
  readonly #files: () => WorkspaceFiles;
  #catalog: Promise<Catalog> | null = null;

  constructor({ files, isTrusted }: { readonly files: () => WorkspaceFiles; readonly isTrusted: () => boolean }) {
    this.#files = files;
    this.isRestricted = () => !isTrusted();
  }

  read(): Promise<Catalog> {
    if (this.isRestricted()) {
      return Promise.resolve(EMPTY_CATALOG);
    }
    this.#catalog ??= readFrom(this.#files());
    return this.#catalog;
  }

  /** To be called when a file of it, or the folders of the workspace, have changed. */
  changed(): void {
    this.#catalog = null;
  }
}

async function readFrom(files: WorkspaceFiles): Promise<Catalog> {
  const paths = await files.catalogPaths();
  if (paths.length === 0) {
    return EMPTY_CATALOG;
  }
  // Loaded with the first rule: activation does not need YAML.
  const { readCatalog } = await import('./readCatalog.js');
  return readCatalog(paths, (path) => files.read(path));
}
