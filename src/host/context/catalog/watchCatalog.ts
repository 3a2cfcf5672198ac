import * as vscode from 'vscode';
import { NESTED_FILES } from './catalogPlaces.js';
import type { WorkspaceCatalog } from './workspaceCatalog.js';

/** Files that may be rules or references, or be imported by one, and the folders of them. */
const TOLD =
  /(?:\.(?:md|mdc|txt)|\/(?:\.cursorrules|\.clinerules|\.cursor|\.loupe|\.github|\.claude|\.agents|rules|references|skills|agents|instructions))$/;

/** Has no ending: of all that a build makes, only that is looked at. */
const MAY_BE_FOLDER = /\/[^/.]+$/;

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
  /** Of a new folder VS Code often reports nothing that came with it: it does not watch it yet. */
  const toldInside = async (uri: vscode.Uri): Promise<void> => {
    if (!MAY_BE_FOLDER.test(uri.path)) {
      return;
    }
    const entries = await inFolder(uri);
    const rule = entries.find(([name]) => NESTED_FILES.includes(name));
    if (rule !== undefined) {
      told(vscode.Uri.joinPath(uri, rule[0]));
    }
  };
  catalog.onFoundMore(changed);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(told),
    watcher.onDidCreate((uri) => {
      told(uri);
      void toldInside(uri);
    }),
    watcher.onDidDelete(told),
    // What is saved here is known at once, also in folders that cannot be watched.
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      told(uri);
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(again.bind(null, null)),
    vscode.workspace.onDidGrantWorkspaceTrust(again.bind(null, null)),
  );
}

/** Nothing of what is a file, or gone again. */
async function inFolder(uri: vscode.Uri): Promise<readonly [string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(uri);
  } catch {
    return [];
  }
}
