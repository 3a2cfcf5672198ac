import * as vscode from 'vscode';
import type { OpenFile } from '../../protocol/panel/view.js';

/** The text editor that the user looks at: where a chat in a tab is the active editor, the one beside it. */
export function openEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  // An output has no column.
  return activeTextEditor ?? visibleTextEditors.find(({ viewColumn }) => viewColumn !== undefined);
}

/** The folder of the window, and the file that the user looks at, which is still that file while the panel has the focus. */
export interface OpenFileWatch {
  hasFolder(): boolean;
  current(): OpenFile | null;
  /** Returns the end of listening. */
  onChange(listener: () => void): () => void;
}

/** `nameOf` gives the path of a file within the workspace; null for one outside. */
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
