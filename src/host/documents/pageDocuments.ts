import * as vscode from 'vscode';
import { toLoupeError } from '../../engine/errors.js';
import { nameInKey, type StoredText } from '../../engine/record/item.js';
import { webAddress } from '../../tools/web/webAddress.js';
import type { Chats } from '../chat/chats.js';
import { openAddress } from '../window/openAddress.js';

const SCHEME = 'loupe-page';

/** A web page of a chat. `fetchedAt` makes the document of a refreshed page another document. */
interface PageKey {
  readonly chatId: string;
  readonly key: string;
  readonly fetchedAt: number;
}

/** Shows the text of web pages as requests contain it, in read-only editors. */
export class PageDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #chats: Pick<Chats, 'open'>;
  readonly #registration: vscode.Disposable;

  constructor(chats: Pick<Chats, 'open'>) {
    this.#chats = chats;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  /**
   * Opens the text of a page. A page that is no longer in the chat opens in the browser. Rejects with `invalidInput`
   * for another address, which a chat from another computer can contain.
   */
  async show(chatId: string, key: string): Promise<void> {
    const { state } = await this.#chats.open(chatId);
    const item = state.context.get(key);
    if (item?.page === undefined) {
      await openAddress(webAddress(nameInKey(key)).href);
      return;
    }
    const query = JSON.stringify({ chatId, key, fetchedAt: item.page.fetchedAt } satisfies PageKey);
    const name = item.page.title.replaceAll(/[\\/]/g, ' ');
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md`, query }), { preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { chatId, key } = JSON.parse(uri.query) as PageKey;
    try {
      const session = await this.#chats.open(chatId);
      const given = session.state.context.get(key)?.given ?? null;
      return given === null ? 'This page is no longer in the chat.\n' : await textOf(given, (blob) => session.records.blob(blob));
    } catch (thrown) {
      return `${toLoupeError(thrown).message}\n`;
    }
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

async function textOf(given: StoredText, blob: (name: string) => Promise<Uint8Array>): Promise<string> {
  return 'inline' in given ? given.inline : Buffer.from(await blob(given.blob)).toString('utf8');
}
