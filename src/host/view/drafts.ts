/** Where drafts outlive a reload: VS Code's workspace state, or a map in tests. */
export interface DraftStorage {
  get(key: string): string | undefined;
  /** Undefined removes the key. */
  update(key: string, value: string | undefined): PromiseLike<void>;
}

export interface Draft {
  readonly text: string;
  /** Grows when the host changed the text by itself: only then does the webview take it over. */
  readonly revision: number;
  /** The webview's number of the last edit that has arrived. */
  readonly edit: number;
  /** Id of the user message that sending replaces; null for a new message. */
  readonly editing: string | null;
  /** What was being written before an edit began. */
  readonly setAside: string;
}

/** The draft of each chat. The text is kept in storage, the rest lives as long as the window. */
export class Drafts {
  readonly #storage: DraftStorage;
  readonly #drafts = new Map<string, Draft>();
  readonly #reportFailure: (error: unknown) => void;

  constructor(storage: DraftStorage, reportFailure: (error: unknown) => void) {
    this.#storage = storage;
    this.#reportFailure = reportFailure;
  }

  get(chatId: string): Draft {
    const text = this.#drafts.has(chatId) ? '' : (this.#storage.get(storageKey(chatId)) ?? '');
    return this.#drafts.get(chatId) ?? { text, revision: 0, edit: 0, editing: null, setAside: '' };
  }

  /** Takes over what was typed. */
  typed(chatId: string, text: string, edit: number): void {
    this.#set(chatId, { ...this.get(chatId), text, edit });
  }

  /** Puts `text` in place of the draft. */
  replace(chatId: string, text: string): void {
    const draft = this.get(chatId);
    this.#set(chatId, { ...draft, text, revision: draft.revision + 1 });
  }

  /** Puts a sent message into the composer; what stood there is set aside. */
  beginEdit(chatId: string, messageId: string, text: string): void {
    const draft = this.get(chatId);
    const setAside = draft.editing === null ? draft.text : draft.setAside;
    this.#set(chatId, { ...draft, text, editing: messageId, setAside, revision: draft.revision + 1 });
  }

  /** After sending or cancelling: the draft is what was set aside, or empty. */
  finish(chatId: string): void {
    const draft = this.get(chatId);
    this.#set(chatId, { ...draft, text: draft.setAside, setAside: '', editing: null, revision: draft.revision + 1 });
  }

  /** A webview that starts anew counts its edits from the beginning. */
  webviewStarted(): void {
    for (const [chatId, draft] of this.#drafts) {
      this.#drafts.set(chatId, { ...draft, edit: 0 });
    }
  }

  #set(chatId: string, draft: Draft): void {
    this.#drafts.set(chatId, draft);
    // The text of a message being edited is in the log already: what was set aside for it needs keeping.
    const kept = draft.editing === null ? draft.text : draft.setAside;
    this.#storage.update(storageKey(chatId), kept === '' ? undefined : kept).then(undefined, this.#reportFailure);
  }
}

function storageKey(chatId: string): string {
  return `loupe.draft.${chatId}`;
}
