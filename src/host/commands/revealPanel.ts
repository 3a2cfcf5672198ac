import * as vscode from 'vscode';
import { CHAT_VIEW_ID } from '../window/chatView.js';

/** Brings the chat panel into sight. */
export async function revealPanel(): Promise<void> {
  await vscode.commands.executeCommand(`${CHAT_VIEW_ID}.focus`);
}
