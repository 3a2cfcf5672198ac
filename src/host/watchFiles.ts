import * as vscode from 'vscode';
import type { WorkspaceFiles } from './files/workspaceFiles.js';
import type { Panel } from './view/panel.js';

/**
 * Recomputes the next request when a file of the workspace changes, on disk or in an editor: a chip then says that
 * it changed or is gone. The panel waits a moment before it recomputes, so a burst of changes costs one.
 */
export function watchContextFiles(panel: Panel, files: () => WorkspaceFiles): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const changed = (uri: vscode.Uri): void => {
    const context = panel.session?.state.context;
    const path = uri.scheme === 'file' ? files().relative(uri.fsPath) : null;
    if (context === undefined || path === null) {
      return;
    }
    // A folder that is deleted or renamed takes its files along without an event for each.
    if ([...context.values()].some(({ type, name }) => type === 'file' && (name === path || name.startsWith(`${path}/`)))) {
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
