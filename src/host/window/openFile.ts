import * as vscode from 'vscode';
import type { OpenFile } from '../../protocol/view.js';

/** The file that the user looks at, which is still that file while the panel has the focus. */
export interface OpenFileWatch {
  current(): OpenFile | null;
  /** Returns the end of listening. */
  onChange(listener: () => void): () => void;
}

/** `nameOf` gives the path of a file within the workspace; null for one outside. */
export function watchOpenFile(nameOf: (path: string) => string | null): OpenFileWatch {
  return {
    current() {
      const uri = vscode.window.activeTextEditor?.document.uri;
      const name = uri?.scheme === 'file' ? nameOf(uri.fsPath) : null;
      return uri === undefined || name === null ? null : { name, uri: uri.toString() };
    },
    onChange(listener) {
      const listening = vscode.window.onDidChangeActiveTextEditor(listener);
      return () => {
        listening.dispose();
      };
    },
  };
}
