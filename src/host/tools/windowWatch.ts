import * as vscode from 'vscode';
import type { FileNews } from './changedFiles.js';

/** Tells what happens to the files of the workspace. */
export function watchWorkspace({ changed, saved }: FileNews): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const tell = ({ scheme, fsPath }: vscode.Uri): void => {
    if (scheme === 'file') {
      changed(fsPath);
    }
  };
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(tell),
    watcher.onDidCreate(tell),
    watcher.onDidDelete(tell),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (uri.scheme === 'file') {
        saved(uri.fsPath);
      }
    }),
  );
}

/** Tells when any file of the workspace changes, on the disk or in an editor. */
export function watchAnyChange(changed: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    watchWorkspace({ changed, saved: changed }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document.uri.scheme === 'file' && contentChanges.length > 0) {
        changed();
      }
    }),
  );
}

/** The files that are open in editors, by place on disk. */
export function openPlaces(): readonly string[] {
  return vscode.workspace.textDocuments.flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
}
