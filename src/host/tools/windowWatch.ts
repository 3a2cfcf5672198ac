import * as vscode from 'vscode';
import { ChangedFiles, type ChangedFilesPorts, type FileChangeListener } from './changedFiles.js';

export function watchWorkspace({ made, changed, saved }: FileChangeListener): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const telling =
    (tell: (place: string) => void) =>
    ({ scheme, fsPath }: vscode.Uri): void => {
      if (scheme === 'file') {
        tell(fsPath);
      }
    };
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(telling(made)),
    watcher.onDidChange(telling(changed)),
    watcher.onDidDelete(telling(changed)),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      telling(saved)(uri);
    }),
  );
}

/** Reports each change of a file, on disk or in an editor, with the place of the file. */
export function watchAnyChange(changed: (place: string) => void): vscode.Disposable {
  return vscode.Disposable.from(
    watchWorkspace({ made: changed, changed, saved: changed }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document.uri.scheme === 'file' && contentChanges.length > 0) {
        changed(document.uri.fsPath);
      }
    }),
  );
}

function openPlaces(): readonly string[] {
  return vscode.workspace.textDocuments.flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
}

/** Watches which files of the window change during tool calls. */
export function watchFiles(ports: Omit<ChangedFilesPorts, 'open' | 'watch'>): ChangedFiles {
  return new ChangedFiles({ ...ports, open: openPlaces, watch: watchWorkspace });
}
