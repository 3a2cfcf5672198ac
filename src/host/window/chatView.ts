import * as vscode from 'vscode';

export const CHAT_VIEW_ID = 'loupe.chat';

export const CHAT_TAB_TYPE = 'loupe.chatEditor';

export const INSPECTOR_TAB_TYPE = 'loupe.inspector';

export async function focusChatView(): Promise<void> {
  await vscode.commands.executeCommand(`${CHAT_VIEW_ID}.focus`);
}

/** Shows progress on the chat view until the promise resolves. */
export function showBusy(ended: Promise<void>): void {
  void vscode.window.withProgress({ location: { viewId: CHAT_VIEW_ID } }, () => ended);
}
