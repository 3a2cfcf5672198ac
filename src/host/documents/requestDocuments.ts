import * as vscode from 'vscode';
import { toLoupeError } from '../../engine/errors.js';
import type { Chats } from '../chat/chats.js';
import type { Drafts } from '../chat/drafts.js';
import { page, requestHead, responseLines } from './requestPage.js';

const SCHEME = 'loupe-request';

/** Name of the document of the next request, which has not been sent. */
const NEXT = 'next';

/** Shows exact requests as read-only documents: the indented wire body, with the request's head and its response in comments. */
export class RequestDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #chats: Chats;
  readonly #drafts: Drafts;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor(chats: Chats, drafts: Drafts) {
    this.#chats = chats;
    this.#drafts = drafts;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  async showRequest(chatId: string, messageId: string): Promise<void> {
    const session = await this.#chats.open(chatId);
    // Fails here, so that the message appears where the user clicked, not in an empty document.
    const { attempt } = await session.request(messageId);
    // Some systems refuse a colon in a path.
    const time = new Date(attempt.startedAt).toLocaleTimeString('en-GB').replaceAll(':', '.');
    await this.#show(requestUri(chatId, attempt.id, `Request at ${time}`));
  }

  async showNext(chatId: string): Promise<void> {
    const uri = requestUri(chatId, NEXT, 'Next request');
    this.#changed.fire(uri);
    await this.#show(uri);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const [, chatId = '', id = ''] = uri.path.split('/');
    try {
      const session = await this.#chats.open(chatId);
      if (id === NEXT) {
        await this.#drafts.load(chatId);
        const draft = this.#drafts.get(chatId);
        const composed = await session.preview(draft);
        const note = draft.text.trim() === '' ? ['The message box is empty: your message will be added at the end.'] : [];
        const size = `The next request, as it would be sent now: ${tokens(composed.size.tokens)}.`;
        return page([size, ...note], composed.wire().body, []);
      }
      const { attempt, rebuilt } = await session.request(id);
      const exact = `Exactly what was sent (SHA-256 ${attempt.manifest.bodyHash}), with line breaks added.`;
      const sent = `${tokens(attempt.manifest.size.tokens)}, sent ${new Date(attempt.startedAt).toISOString()}.`;
      const head = [sent, rebuilt.note ?? exact, ...requestHead(attempt)];
      return page(head, rebuilt.body, responseLines(attempt));
    } catch (thrown) {
      return page([toLoupeError(thrown).message], '', []);
    }
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  async #show(uri: vscode.Uri): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, 'jsonc');
    await vscode.window.showTextDocument(document, { preview: true });
  }
}

/** The last segment of the path is the tab's name. */
function requestUri(chatId: string, id: string, name: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${chatId}/${id}/${name}.jsonc` });
}

function tokens(count: number): string {
  return `${count.toLocaleString('en-US')} tokens`;
}
