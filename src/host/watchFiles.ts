import * as vscode from 'vscode';
import type { Panel } from './view/panel.js';

/**
 * Recomputes the next request when a file of the workspace changes, on disk or in an editor: a chip then says that
 * it changed or is gone. The panel waits a moment before it recomputes, so a burst of changes costs one.
 */
export function watchContextFiles(panel: Panel): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const changed = (uri: vscode.Uri): void => {
    const context = panel.session?.state.context;
    if (context !== undefined && [...context.values()].some((item) => item.type === 'file' && uri.path.endsWith(item.name))) {
      panel.draftChanged();
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
