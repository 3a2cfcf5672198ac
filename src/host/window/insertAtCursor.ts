import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import { type SurroundingText, insertion, insertionBelow, splitsLine } from './insertion.js';

/**
 * Replaces the selections of an editor, or inserts at its cursors without splitting code. The user can undo
 * this in one step. Throws `invalidInput` without an editor to write to.
 */
export async function insertAtCursor(text: string, editor: vscode.TextEditor | undefined): Promise<void> {
  if (editor === undefined) {
    throw failure('editor.none');
  }
  const done = await editor.edit((builder) => {
    for (const selection of editor.selections) {
      const line = around(editor.document, selection);
      if (selection.isEmpty && splitsLine(text, line)) {
        builder.insert(editor.document.lineAt(selection.end.line).range.end, insertionBelow(text, line));
      } else {
        builder.replace(selection, insertion(text, line));
      }
    }
  });
  if (!done) {
    throw failure('editor.refused');
  }
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

function around(document: vscode.TextDocument, { start, end }: vscode.Selection): SurroundingText {
  return {
    before: document.lineAt(start.line).text.slice(0, start.character),
    after: document.lineAt(end.line).text.slice(end.character),
  };
}
