import * as vscode from 'vscode';
import type { WorkspaceCatalog } from './workspaceCatalog.js';

/** Files that may be rules or references, or be imported by one, and the folders of them. */
const TOLD =
  /(?:\.(?:md|mdc|txt)|\/(?:\.cursorrules|\.clinerules|\.cursor|\.loupe|\.github|\.claude|\.agents|rules|references|skills|agents|instructions))$/;

export interface CatalogWatchPorts {
  readonly catalog: Pick<WorkspaceCatalog, 'changed' | 'onFoundMore'>;
  /** The catalog may be another now. */
  readonly changed: () => void;
}

/** Has the catalog read again when a file that it may hold has changed, with the workspace's folders, and when they are trusted. */
export function watchCatalog({ catalog, changed }: CatalogWatchPorts): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const again = (path: string | null): void => {
    catalog.changed(path);
    changed();
  };
  const told = ({ path }: vscode.Uri): void => {
    if (TOLD.test(path)) {
      again(path);
    }
  };
  catalog.onFoundMore(changed);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(told),
    watcher.onDidCreate(told),
    watcher.onDidDelete(told),
    // What is saved here is known at once, also in folders that cannot be watched.
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      told(uri);
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(again.bind(null, null)),
    vscode.workspace.onDidGrantWorkspaceTrust(again.bind(null, null)),
  );
}
