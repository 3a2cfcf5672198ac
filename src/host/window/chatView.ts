import * as vscode from 'vscode';

export const CHAT_VIEW_ID = 'loupe.chat';

/** The type of the editor tabs that show a chat. */
export const CHAT_TAB_TYPE = 'loupe.chatEditor';

/** The type of the Request Inspector's editor tabs. */
export const INSPECTOR_TAB_TYPE = 'loupe.inspector';

/** Brings the view into sight, and gives it the focus. */
export async function focusChatView(): Promise<void> {
  await vscode.commands.executeCommand(`${CHAT_VIEW_ID}.focus`);
}

/** Shows progress on the view of the chat until the promise resolves. */
export function showBusy(ended: Promise<void>): void {
  void vscode.window.withProgress({ location: { viewId: CHAT_VIEW_ID } }, () => ended);
}
