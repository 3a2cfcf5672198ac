import * as vscode from 'vscode';
import { writtenParts } from '../../engine/chat/message.js';
import { failure, toLoupeError } from '../../engine/errors.js';
import type { Chats } from '../chat/chats.js';
import type { Drafts } from '../chat/drafts.js';
import { readablePage } from './readablePage.js';
import { nextContent, rawDocument, readableDocument, sentContent, type RequestContent } from './requestContent.js';
import { READABLE_LANGUAGE } from './requestOutline.js';
import { page } from './requestPage.js';
import { NEXT, REQUEST_SCHEME, requestUri, shownRequest, type ShownRequest } from './requestUri.js';

/** A request that the Request Inspector shows. */
type InspectedRequestId = Pick<ShownRequest, 'chatId' | 'id'>;

/**
 * Shows requests as read-only documents: to be read, part by part, or raw, as the indented wire body with all else in
 * comments. An open document of the next request follows it.
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
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(REQUEST_SCHEME, this);
  }

  /** Shows a request to be read. Rejects where its record is damaged. */
  async show(request: InspectedRequestId): Promise<void> {
    await this.#show({ ...(await this.#named(request)), isRaw: false });
  }

  async #named({ chatId, id }: InspectedRequestId): Promise<Omit<ShownRequest, 'isRaw'>> {
    if (id === NEXT) {
      this.nextChanged(chatId);
      return { chatId, id, name: 'Next request' };
    }
    const session = await this.#chats.open(chatId);
    // Fails here, so that the message appears where the user clicked, not in an empty document.
    const { attempt } = await session.request(id);
    // Some systems refuse a colon in a path.
    const time = new Date(attempt.startedAt).toLocaleTimeString('en-GB').replaceAll(':', '.');
    return { chatId, id: attempt.id, name: `Request at ${time}` };
  }

  /**
   * Shows the request of the active editor in one form: `inspected` where that is the Request Inspector. Throws `invalidInput` when it
   * shows none.
   */
  async showForm(form: 'raw' | 'readable', inspected: InspectedRequestId | null): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const shown = inspected === null ? (uri === undefined ? null : shownRequest(uri)) : await this.#named(inspected);
    if (shown === null) {
      throw failure('request.noneShown');
    }
    await this.#show({ ...shown, isRaw: form === 'raw' });
  }

  /** To be called when the next request of a chat has changed. Does nothing unless a document shows it. */
  nextChanged(chatId: string): void {
    for (const { uri, isClosed } of vscode.workspace.textDocuments) {
      const shown = isClosed ? null : shownRequest(uri);
      if (shown?.chatId === chatId && shown.id === NEXT) {
        this.#changed.fire(uri);
      }
    }
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const request = shownRequest(uri);
    const isRaw = request?.isRaw === true;
    try {
      if (request === null) {
        throw failure('chat.noRequestRecord');
      }
      const content = await this.#content(request);
      return isRaw ? rawDocument(content) : readableDocument(content);
    } catch (thrown) {
      const { message } = toLoupeError(thrown);
      return isRaw ? page([message], '', []) : readablePage([{ heading: request?.name ?? 'Request', text: message }]);
    }
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  async #content({ chatId, id }: ShownRequest): Promise<RequestContent> {
    const session = await this.#chats.open(chatId);
    if (id !== NEXT) {
      const { attempt, rebuilt } = await session.request(id);
      return sentContent(attempt, rebuilt);
    }
    await this.#drafts.load(chatId);
    const draft = this.#drafts.get(chatId);
    return nextContent(await session.previewDraft(draft), {
      isEmpty: writtenParts(draft).length === 0,
      isReplying: session.conversation.isRunning,
    });
  }

  async #show(request: ShownRequest): Promise<void> {
    const document = await vscode.workspace.openTextDocument(requestUri(request));
    await vscode.languages.setTextDocumentLanguage(document, request.isRaw ? 'jsonc' : READABLE_LANGUAGE);
    await vscode.window.showTextDocument(document, { preview: true });
  }
}
