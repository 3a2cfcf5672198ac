import * as vscode from 'vscode';
import type { WorkspaceFiles } from './files/workspaceFiles.js';
import type { SessionContextItem } from '../../engine/context/item.js';

export interface FileWatchPorts {
  readonly files: () => WorkspaceFiles;
  /** The items in the chats on show. */
  readonly items: () => readonly SessionContextItem[];
  /** A file in the context has changed, and with it the next request and perhaps a chip. */
  readonly changed: () => void;
}

/** Reports each change, on disk or in an editor, to a file in the context of the chats on show. */
export function watchContextFiles({ files, items, ...ports }: FileWatchPorts): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const changed = (uri: vscode.Uri): void => {
    const path = uri.scheme === 'file' ? files().relative(uri.fsPath) : null;
    if (path === null) {
      return;
    }
    // Deleting or renaming a folder sends no event for the files in it.
    if (items().some(({ type, name }) => type === 'file' && (name === path || name.startsWith(`${path}/`)))) {
      ports.changed();
    }
  };
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(changed),
    watcher.onDidCreate(changed),
    watcher.onDidDelete(changed),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      changed(document.uri);
    }),
  );
}
