import * as vscode from 'vscode';

export const CHAT_VIEW_ID = 'loupe.chat';

/** Shows progress on the view of the chat until the promise resolves. */
export function showBusy(ended: Promise<void>): void {
  void vscode.window.withProgress({ location: { viewId: CHAT_VIEW_ID } }, () => ended);
}
