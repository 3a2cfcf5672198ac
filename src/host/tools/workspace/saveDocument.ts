import * as vscode from 'vscode';

/**
 * Saves a document, and returns whether all its changes are saved. `TextDocument.save` returns false at once while save
 * participants (formatters, listeners of `onWillSaveTextDocument`) run for an automatic save. In this case, waits up to
 * `longestMs` for the automatic save.
 */
export async function saveDocument(document: vscode.TextDocument, longestMs: number): Promise<boolean> {
  if (!document.isDirty) {
    return true;
  }
  const begun = new Set<vscode.TextDocumentSaveReason>();
  const beginnings = vscode.workspace.onWillSaveTextDocument((save) => {
    if (save.document === document) {
      begun.add(save.reason);
    }
  });
  const isSaved = await document.save();
  beginnings.dispose();
  return isSaved || (!begun.has(vscode.TextDocumentSaveReason.Manual) && isSavedWithin(document, longestMs));
}

/** Waits for the end of a save. VS Code has no event for a failed save. */
async function isSavedWithin(document: vscode.TextDocument, longestMs: number): Promise<boolean> {
  const subscriptions: vscode.Disposable[] = [];
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, longestMs);
    subscriptions.push(
      new vscode.Disposable(() => {
        clearTimeout(timer);
      }),
      vscode.workspace.onDidSaveTextDocument((saved) => {
        if (saved === document) {
          resolve();
        }
      }),
    );
    if (!document.isDirty) {
      resolve();
    }
  });
  vscode.Disposable.from(...subscriptions).dispose();
  return !document.isDirty;
}
