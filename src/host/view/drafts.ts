import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import { parseJson } from '../../engine/json.js';
import { member, textMember } from '../../providers/json.js';
import type { DraftFiles } from '../../storage/drafts.js';

/** Pause after the last key before a draft is written. */
const WRITE_DELAY_MS = 250;

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

const NO_DRAFT: Draft = { text: '', revision: 0, edit: 0, editing: null, setAside: '' };

export interface DraftPorts {
  logError(error: LoupeError): void;
  /** Called when a draft could not be saved for the first time, or for another reason, and when it could again. */
  changed(): void;
}

/** The draft of each chat. Its text is kept in storage, the rest lives as long as the window. */
export class Drafts {
  /** Where drafts outlive the window. */
  readonly #storage: Pick<DraftFiles, 'read' | 'write'>;
  readonly #drafts = new Map<string, Draft>();
  readonly #ports: DraftPorts;
  readonly #unwritten = new Map<string, NodeJS.Timeout>();
  /** Why drafts could not be saved, the last time. */
  readonly #failures = new Map<string, LoupeError>();

  constructor(storage: Pick<DraftFiles, 'read' | 'write'>, ports: DraftPorts) {
    this.#storage = storage;
    this.#ports = ports;
  }

  /** Reads the draft of a chat, before the chat is shown. One that cannot be read is logged, and empty. */
  async load(chatId: string): Promise<void> {
    if (this.#drafts.has(chatId)) {
      return;
    }
    try {
      const kept = keptDraft(await this.#storage.read(chatId));
      this.#drafts.set(chatId, this.#drafts.get(chatId) ?? { ...NO_DRAFT, ...kept });
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
    }
  }

  get(chatId: string): Draft {
    return this.#drafts.get(chatId) ?? NO_DRAFT;
  }

  /** Why the draft could not be saved; null when it is, or is just being written. */
  failure(chatId: string): LoupeError | null {
    return this.#failures.get(chatId) ?? null;
  }

  /** Takes over what was typed. */
  typed(chatId: string, text: string, edit: number): void {
    this.#set(chatId, { ...this.get(chatId), text, edit });
  }

  /** Puts a sent message into the composer; what stood there is set aside. */
  beginEdit(chatId: string, messageId: string, text: string): void {
    const draft = this.get(chatId);
    const setAside = draft.editing === null ? draft.text : draft.setAside;
    this.#set(chatId, { ...draft, text, editing: messageId, setAside, revision: draft.revision + 1 });
  }

  /** Puts a text in front of what is written, with an empty line between them. */
  prepend(chatId: string, text: string): void {
    const draft = this.get(chatId);
    const joined = draft.text.trim() === '' ? text : `${text}\n\n${draft.text}`;
    this.#set(chatId, { ...draft, text: joined, revision: draft.revision + 1 });
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

  /** Writes what is not written yet, before the window closes. */
  async flush(): Promise<void> {
    const chatIds = [...this.#unwritten.keys()];
    await Promise.all(chatIds.map((chatId) => this.#write(chatId)));
  }

  #set(chatId: string, draft: Draft): void {
    this.#drafts.set(chatId, draft);
    clearTimeout(this.#unwritten.get(chatId));
    const timer = setTimeout(() => {
      void this.#write(chatId);
    }, WRITE_DELAY_MS);
    this.#unwritten.set(chatId, timer);
  }

  async #write(chatId: string): Promise<void> {
    clearTimeout(this.#unwritten.get(chatId));
    this.#unwritten.delete(chatId);
    const { text, editing, setAside } = this.get(chatId);
    try {
      const isEmpty = text === '' && editing === null;
      await this.#storage.write(chatId, isEmpty ? '' : JSON.stringify({ text, editing, setAside }));
      this.#told(chatId, null);
    } catch (thrown) {
      this.#told(chatId, toLoupeError(thrown));
    }
  }

  /** Each key is another attempt: a failure is logged once. */
  #told(chatId: string, failure: LoupeError | null): void {
    if (this.failure(chatId)?.code === failure?.code) {
      return;
    }
    if (failure === null) {
      this.#failures.delete(chatId);
    } else {
      this.#failures.set(chatId, failure);
      this.#ports.logError(failure);
    }
    this.#ports.changed();
  }
}

/** A draft as it was kept. Throws `storage` when the file holds something else. */
function keptDraft(json: string): Partial<Draft> {
  if (json === '') {
    return {};
  }
  const kept = parseJson(json);
  const [text, setAside, editing] = [textMember(kept, 'text'), textMember(kept, 'setAside'), member(kept, 'editing')];
  if (text === null || setAside === null || (editing !== null && typeof editing !== 'string')) {
    throw failure('storage.damagedDraft');
  }
  return { text, setAside, editing };
}
