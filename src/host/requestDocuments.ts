import * as vscode from 'vscode';
import { toLoupeError } from '../engine/errors.js';
import type { Chats } from './chat/chats.js';
import type { Drafts } from './view/drafts.js';

const SCHEME = 'loupe-request';

/** Name of the document of a request that has not been sent yet. */
const NEXT = 'next';

/** Shows exact requests as read-only documents: the wire body, indented, below a comment that says what it is. */
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
    // Fails here, with the message where the user clicked, rather than in an empty document.
    const { attempt } = await session.request(messageId);
    // A path takes no colons on every system.
    const time = new Date(attempt.startedAt).toLocaleTimeString('en-GB').replaceAll(':', '.');
    await this.#show(requestUri(chatId, attempt.id, `Request of ${time}`));
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
        const note = draft.text.trim() === '' ? ['Nothing is written in the composer yet: your message will follow at the end.'] : [];
        const size = `The next request as it would be sent now: ${tokens(composed.size.tokens)}.`;
        return page([size, ...note], composed.wire().body);
      }
      const { attempt, rebuilt } = await session.request(id);
      const exact = `Byte for byte what was sent, SHA-256 ${attempt.manifest.bodyHash}, shown indented.`;
      return page(
        [`${tokens(attempt.manifest.size.tokens)}, sent ${new Date(attempt.startedAt).toISOString()}.`, rebuilt.note ?? exact],
        rebuilt.body,
      );
    } catch (thrown) {
      return page([toLoupeError(thrown).message], '');
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

/** The last segment is the name on the editor's tab. */
function requestUri(chatId: string, id: string, name: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${chatId}/${id}/${name}.jsonc` });
}

function page(notes: readonly string[], body: string): string {
  const head = notes.map((note) => `// ${note.replace(/\s+/g, ' ')}`).join('\n');
  return body === '' ? `${head}\n` : `${head}\n${JSON.stringify(JSON.parse(body), null, 2)}\n`;
}

function tokens(count: number): string {
  return `${count.toLocaleString('en-US')} tokens`;
}
