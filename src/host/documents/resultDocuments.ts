import * as vscode from 'vscode';
import { toLoupeError } from '../../engine/errors.js';
import type { Chats } from '../chat/chats.js';

const SCHEME = 'loupe-result';

interface ResultKey {
  readonly chatId: string;
  readonly messageId: string;
  readonly callId: string;
}

export class ResultDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #chats: Chats;
  readonly #registration: vscode.Disposable;

  constructor(chats: Chats) {
    this.#chats = chats;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  async open(chatId: string, messageId: string, callId: string): Promise<void> {
    const place = { chatId, messageId, callId };
    // Reads the result first, so that an error appears in the panel instead of an empty document.
    await this.#text(place);
    // `openTextDocument` would reject documents above 50 MB, because it copies documents to all extensions.
    await vscode.commands.executeCommand('vscode.open', resultUri(place), { preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    try {
      return await this.#text(JSON.parse(uri.query) as ResultKey);
    } catch (thrown) {
      return `${toLoupeError(thrown).message}\n`;
    }
  }

  dispose(): void {
    this.#registration.dispose();
  }

  async #text({ chatId, messageId, callId }: ResultKey): Promise<string> {
    const session = await this.#chats.open(chatId);
    return session.records.resultText(messageId, callId);
  }
}

/** Returns the URI of a result. VS Code shows the URI's path as the name of the tab. */
function resultUri(place: ResultKey): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: '/Tool result.txt', query: JSON.stringify(place) });
}
