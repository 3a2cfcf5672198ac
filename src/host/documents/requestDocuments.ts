import * as vscode from 'vscode';
import { writtenParts } from '../../engine/chat/message/message.js';
import { failure, toLoupeError } from '../../engine/errors.js';
import { NEXT_REQUEST } from '../../protocol/inspector/inspector.js';
import type { Chats } from '../chat/chats.js';
import type { Drafts } from '../chat/drafts.js';
import { nextDocument, page, sentDocument } from './requestContent.js';

const SCHEME = 'loupe-request';

/** Identifies the request in a document. `id` is the id of an attempt, or `NEXT_REQUEST`. */
interface ShownRequest {
  readonly chatId: string;
  readonly id: string;
}

/**
 * Shows requests as read-only JSON documents: the sent body with indentation, and all other information in comments. A
 * document with the next request is updated automatically.
 */
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

  /** Opens a request as a document. Rejects when the record of the request is damaged. */
  async show({ chatId, id }: ShownRequest): Promise<void> {
    const path = `/${chatId}/${id}/${await this.#nameOf({ chatId, id })}.jsonc`;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: SCHEME, path }));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  async #nameOf({ chatId, id }: ShownRequest): Promise<string> {
    const session = await this.#chats.open(chatId);
    if (id === NEXT_REQUEST) {
      // Reads all inputs again: VS Code does not report changes of files that `files.watcherExclude` excludes.
      session.next.inputsChanged();
      this.nextChanged(chatId);
      return 'Next request';
    }
    // Reads the request first, so that an error appears in the panel instead of an empty document.
    const { attempt } = await session.records.request(id);
    // Replaces colons, because some systems do not allow them in a path.
    return `Request at ${new Date(attempt.startedAt).toLocaleTimeString('en-GB').replaceAll(':', '.')}`;
  }

  /** Updates the open document of a chat's next request. Call this when the next request has changed. */
  nextChanged(chatId: string): void {
    for (const { uri, isClosed } of vscode.workspace.textDocuments) {
      const shown = isClosed ? null : shownRequest(uri);
      if (shown?.chatId === chatId && shown.id === NEXT_REQUEST) {
        this.#changed.fire(uri);
      }
    }
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    try {
      const request = shownRequest(uri);
      if (request === null) {
        throw failure('chat.noRequestRecord');
      }
      return await this.#text(request);
    } catch (thrown) {
      return page([toLoupeError(thrown).message], '', []);
    }
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  async #text({ chatId, id }: ShownRequest): Promise<string> {
    const session = await this.#chats.open(chatId);
    if (id !== NEXT_REQUEST) {
      const { attempt, rebuilt } = await session.records.request(id);
      return sentDocument(attempt, rebuilt);
    }
    await this.#drafts.load(chatId);
    const draft = this.#drafts.get(chatId);
    return nextDocument(await session.next.current(draft), {
      isEmpty: writtenParts(draft).length === 0,
      isReplying: session.conversation.isRunning,
    });
  }
}

/** Returns the request that a URI identifies. Null for a URI of another document. */
function shownRequest({ scheme, path }: vscode.Uri): ShownRequest | null {
  const [, chatId, id] = path.split('/');
  return scheme !== SCHEME || chatId === undefined || id === undefined ? null : { chatId, id };
}
