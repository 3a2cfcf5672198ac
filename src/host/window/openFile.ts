import * as vscode from 'vscode';
import type { OpenFile } from '../../protocol/panel/view.js';

/** Returns the text editor that the user works in. */
export type FindEditor = () => vscode.TextEditor | undefined;

/** Follows which text editor was active last. While a chat tab or the Output panel is active, no text editor is. */
export class OpenEditor implements vscode.Disposable {
  readonly #listening: vscode.Disposable;
  #last: vscode.TextEditor | undefined;

  constructor() {
    this.#follow(vscode.window.activeTextEditor);
    this.#listening = vscode.window.onDidChangeActiveTextEditor(this.#follow.bind(this));
  }

  /** Returns the active text editor, else the last one or what its column shows now, else another visible one. */
  current(): vscode.TextEditor | undefined {
    const visible = vscode.window.visibleTextEditors.filter(isInColumn);
    const column = this.#last?.viewColumn;
    return visible.find((editor) => editor === this.#last) ?? visible.find(({ viewColumn }) => viewColumn === column) ?? visible[0];
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #follow(editor: vscode.TextEditor | undefined): void {
    if (editor !== undefined && isInColumn(editor)) {
      this.#last = editor;
    }
  }
}

/** Whether this is no editor of a panel, such as Output: panels have no view column. */
function isInColumn({ viewColumn }: vscode.TextEditor): boolean {
  return viewColumn !== undefined;
}

/** Reports the file that is open in the editor. While the chat panel has the focus, this is the last file. */
export interface OpenFileWatch {
  hasFolder(): boolean;
  current(): OpenFile | null;
  onChange(listener: () => void): () => void;
}

/** `nameOf` returns the workspace path of a file. Null for a file outside the workspace. */
export function watchOpenFile(nameOf: (path: string) => string | null, openEditor: FindEditor): OpenFileWatch {
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
