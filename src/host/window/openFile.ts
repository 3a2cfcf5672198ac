import * as vscode from 'vscode';
import type { OpenFile } from '../../protocol/panel/view.js';

/** Returns the active text editor. While a chat tab is active, returns another visible text editor. */
export function openEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  // Skips output panels, which have no view column.
  return activeTextEditor ?? visibleTextEditors.find(({ viewColumn }) => viewColumn !== undefined);
}

/** Reports the file that is open in the editor. While the chat panel has the focus, this is the last file. */
export interface OpenFileWatch {
  hasFolder(): boolean;
  current(): OpenFile | null;
  onChange(listener: () => void): () => void;
}

/** `nameOf` returns the workspace path of a file. Null for a file outside the workspace. */
export function watchOpenFile(nameOf: (path: string) => string | null): OpenFileWatch {
  return {
    hasFolder: () => (vscode.workspace.workspaceFolders ?? []).length > 0,
    current() {
      const uri = openEditor()?.document.uri;
      const name = uri?.scheme === 'file' ? nameOf(uri.fsPath) : null;
      return uri === undefined || name === null ? null : { name, uri: uri.toString() };
    },
    onChange(listener) {
      const listening = vscode.Disposable.from(
        vscode.window.onDidChangeActiveTextEditor(listener),
        vscode.window.onDidChangeVisibleTextEditors(listener),
        vscode.workspace.onDidChangeWorkspaceFolders(listener),
      );
      return () => {
        listening.dispose();
      };
    },
  };
}
