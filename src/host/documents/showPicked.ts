import * as vscode from 'vscode';
import type { ChatState } from '../../engine/chat/state.js';
import { pickedText } from './pickedText.js';

/** Opens what was picked in a chat as a new Markdown document, to be read, searched and saved. */
export async function showPicked(state: ChatState): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: pickedText(state) });
  await vscode.window.showTextDocument(document);
}
