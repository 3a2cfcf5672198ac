import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import { parseJson } from '../../engine/json.js';
import { member, textMember } from '../../providers/json.js';
import type { DraftFiles } from '../../storage/drafts.js';

/** Pause after the last key before a draft is written, in ms. */
const WRITE_DELAY_MS = 250;

export interface Draft {
  readonly text: string;
  /** Incremented when the host itself changes the text. */
  readonly revision: number;
  /** By panel: its webview's number of the last edit that the host has received. None stands for 0. */
  readonly edits: ReadonlyMap<string, number>;
  /** Id of the user message that sending replaces; null for a new message. */
  readonly editing: string | null;
  /** The text that was being written before an edit began. */
  readonly setAside: string;
  /** What the user had written before the model shortened it; null for a text of the user's own. */
  readonly original: string | null;
}

/** A draft to preview: `text` is empty for no message, `editing` is null for a new message. */
export type DraftToPreview = Pick<Draft, 'text' | 'editing'>;

/** An edit in the webview of a panel, which numbers them. */
export interface DraftEdit {
  readonly panel: string;
  readonly number: number;
}

const NO_DRAFT: Draft = { text: '', revision: 0, edits: new Map(), editing: null, setAside: '', original: null };

/** What changed of a draft: its content, or whether it could be saved. */
export type DraftChange = 'content' | 'saving';

/** The draft of each chat. Its text is in storage; the rest lives as long as the window. */
export class Drafts {
  /** Where drafts outlive the window. */
  readonly #storage: Pick<DraftFiles, 'read' | 'write'>;
  readonly #drafts = new Map<string, Draft>();
  readonly #logError: (error: LoupeError) => void;
  readonly #listeners = new Set<(chatId: string, change: DraftChange) => void>();
  /** The timers of drafts that are not on the disk yet, also while they are being written. */
  readonly #unwritten = new Map<string, NodeJS.Timeout>();
  /** The last failure to save, by chat. */
  readonly #failures = new Map<string, LoupeError>();

  constructor(storage: Pick<DraftFiles, 'read' | 'write'>, logError: (error: LoupeError) => void) {
    this.#storage = storage;
    this.#logError = logError;
  }

  /** Calls `listener` after each change. Returns the end of listening. */
  onChange(listener: (chatId: string, change: DraftChange) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Reads the draft of a chat before the chat is shown. An unreadable draft is logged and becomes empty. */
  async load(chatId: string): Promise<void> {
    if (this.#drafts.has(chatId)) {
      return;
    }
    try {
      const kept = keptDraft(await this.#storage.read(chatId));
      this.#drafts.set(chatId, this.#drafts.get(chatId) ?? { ...NO_DRAFT, ...kept });
    } catch (thrown) {
      this.#logError(toLoupeError(thrown));
    }
  }

  get(chatId: string): Draft {
    return this.#drafts.get(chatId) ?? NO_DRAFT;
  }

  /** Why the draft could not be saved; null when it is saved or being saved. */
  failure(chatId: string): LoupeError | null {
    return this.#failures.get(chatId) ?? null;
  }

  /** Takes over typed text. */
  typed(chatId: string, text: string, { panel, number }: DraftEdit): void {
    const draft = this.get(chatId);
    this.#set(chatId, { ...draft, text, edits: new Map(draft.edits).set(panel, number) });
  }

  /** Puts a sent message into the composer, for editing, and sets aside the text there. */
  beginEdit(chatId: string, messageId: string, text: string): void {
    const draft = this.get(chatId);
    const setAside = draft.editing === null ? draft.text : draft.setAside;
    this.#set(chatId, { ...draft, text, editing: messageId, setAside, original: null, revision: draft.revision + 1 });
  }

  /** Puts a text in the place of the one that is there. */
  replace(chatId: string, text: string): void {
    const draft = this.get(chatId);
    this.#set(chatId, { ...draft, text, original: null, revision: draft.revision + 1 });
  }

  /** Keeps what the user had written before the model shortened it; null for nothing. */
  keepOriginal(chatId: string, original: string | null): void {
    this.#set(chatId, { ...this.get(chatId), original });
  }

  /** Puts a text in front of the draft, with an empty line between them. */
  prepend(chatId: string, text: string): void {
    const draft = this.get(chatId);
    const joined = draft.text.trim() === '' ? text : `${text}\n\n${draft.text}`;
    this.#set(chatId, { ...draft, text: joined, revision: draft.revision + 1 });
  }

  /** After sending or cancelling: the draft becomes the text that was set aside, or empty. */
  finish(chatId: string): void {
    const draft = this.get(chatId);
    this.#set(chatId, { ...draft, text: draft.setAside, setAside: '', editing: null, original: null, revision: draft.revision + 1 });
  }

  /** The webview of a panel is gone, or another: that one counts its edits from the beginning. */
  forgetEdits(panel: string): void {
    for (const [chatId, draft] of this.#drafts) {
      const edits = new Map(draft.edits);
      edits.delete(panel);
      this.#drafts.set(chatId, { ...draft, edits });
    }
  }

  /** Writes unsaved drafts before the window closes. One that is just being written is waited for, by writing it again. */
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
    this.#changed(chatId, 'content');
  }

  #changed(chatId: string, change: DraftChange): void {
    for (const listener of this.#listeners) {
      listener(chatId, change);
    }
  }

  async #write(chatId: string): Promise<void> {
    const timer = this.#unwritten.get(chatId);
    clearTimeout(timer);
    const { text, editing, setAside, original } = this.get(chatId);
    try {
      const isEmpty = text === '' && editing === null;
      await this.#storage.write(chatId, isEmpty ? '' : JSON.stringify({ text, editing, setAside, original }));
      if (this.#unwritten.get(chatId) === timer) {
        this.#unwritten.delete(chatId);
      }
      this.#setSaveFailure(chatId, null);
    } catch (thrown) {
      this.#setSaveFailure(chatId, toLoupeError(thrown));
    }
  }

  /** Each key is another attempt to save, so a failure is logged once. */
  #setSaveFailure(chatId: string, failure: LoupeError | null): void {
    if (this.failure(chatId)?.code === failure?.code) {
      return;
    }
    if (failure === null) {
      this.#failures.delete(chatId);
    } else {
      this.#failures.set(chatId, failure);
      this.#logError(failure);
    }
    this.#changed(chatId, 'saving');
  }
}

/** A stored draft. Throws `storage` when the file holds something else. */
function keptDraft(json: string): Partial<Draft> {
  if (json === '') {
    return {};
  }
  const kept = parseJson(json);
  const [text, setAside] = [textMember(kept, 'text'), textMember(kept, 'setAside')];
  const [editing, original] = [member(kept, 'editing'), member(kept, 'original')];
  if (text === null || setAside === null || !isTextOrNull(editing) || !isTextOrNull(original)) {
    throw failure('storage.damagedDraft');
  }
  return { text, setAside, editing, original };
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
