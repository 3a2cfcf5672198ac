import * as z from 'zod/mini';
import {
  editedParts,
  writtenMessage,
  writtenParts,
  type Message,
  type UserMessage,
  type WrittenContent,
} from '../../engine/chat/message/message.js';
import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import { parseJson } from '../../engine/json.js';
import type { DraftFiles } from '../../storage/drafts.js';
import { Listeners } from '../../engine/listeners.js';

/** Pause after the last key until a draft is written, in ms. */
const WRITE_DELAY_MS = 250;

export interface Draft extends WrittenContent {
  /** The id of its message. Each sent message takes it, so that preview and sent request are equal. */
  readonly messageId: string;
  /** Incremented when the extension changes the text, not the user. */
  readonly revision: number;
  /** The number of the last edit received from the webview of each panel. A missing panel counts as 0. */
  readonly edits: ReadonlyMap<string, number>;
  /** Id of the user message that sending replaces; null for a new message. */
  readonly editing: string | null;
  /** The draft that an edit replaced. It returns after the edit. */
  readonly setAside: WrittenContent;
  /** The user's text from before the model shortened it, or null when the text was not shortened. */
  readonly original: string | null;
}

/**
 * A draft to preview. Empty text and no images mean no message. `editing` is null for a new message, `messageId` for a
 * text that is not the chat's draft.
 */
export type DraftToPreview = WrittenContent & Pick<Draft, 'editing'> & { readonly messageId: string | null };

/** The id of a message that is only previewed. */
export const NO_ID = 'draft';

/** Returns the message of a draft, based on `edited` if given. Returns no message for an empty draft. */
export function draftMessages(written: Omit<DraftToPreview, 'editing'>, edited: Message | null): readonly UserMessage[] {
  const parts = edited?.role === 'user' ? editedParts(edited, written) : writtenParts(written);
  return parts.length === 0 ? [] : [writtenMessage(written.messageId ?? NO_ID, parts)];
}

/** The number of an edit, counted by the webview of a panel. */
export interface DraftEdit {
  readonly panel: string;
  readonly number: number;
}

const NOTHING: WrittenContent = { text: '', images: [] };

type StoredDraft = Omit<Draft, 'messageId'>;

const NO_DRAFT: StoredDraft = { ...NOTHING, revision: 0, edits: new Map(), editing: null, setAside: NOTHING, original: null };

const sizeInPixels = z.nullable(z.int());
const content = {
  text: z.string(),
  images: z.array(
    z.object({
      type: z.literal('image'),
      blob: z.string(),
      mimeType: z.string(),
      bytes: z.nullable(z.int()),
      width: sizeInPixels,
      height: sizeInPixels,
    }),
  ),
};
const keptSchema = z.object({
  ...content,
  editing: z.nullable(z.string()),
  setAside: z.object(content),
  original: z.nullable(z.string()),
});

/** The part of a draft that changed: its content, or whether it could be saved. */
export type DraftChange = 'content' | 'saving';

/** The draft of each chat. Its content is stored on disk, the rest lives as long as the window. */
export class Drafts {
  readonly #storage: Pick<DraftFiles, 'read' | 'write'>;
  readonly #drafts = new Map<string, StoredDraft>();
  /** By chat. Not saved: an id is only needed from the preview of a message until it is sent. */
  readonly #messageIds = new Map<string, string>();
  readonly #newId: () => string;
  readonly #logError: (error: LoupeError) => void;
  readonly #listeners = new Listeners<[chatId: string, change: DraftChange]>();
  readonly onChange = this.#listeners.add;
  /** Timers of drafts that are not yet on disk, including those being written. */
  readonly #unwritten = new Map<string, NodeJS.Timeout>();
  /** The last failed save, by chat. */
  readonly #failures = new Map<string, LoupeError>();

  constructor(storage: Pick<DraftFiles, 'read' | 'write'>, newId: () => string, logError: (error: LoupeError) => void) {
    this.#storage = storage;
    this.#newId = newId;
    this.#logError = logError;
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
    const messageId = this.#messageIds.get(chatId) ?? this.#newId();
    this.#messageIds.set(chatId, messageId);
    return { ...(this.#drafts.get(chatId) ?? NO_DRAFT), messageId };
  }

  /** Returns why the draft could not be saved, or null when it is saved or being saved. */
  failure(chatId: string): LoupeError | null {
    return this.#failures.get(chatId) ?? null;
  }

  typed(chatId: string, text: string, { panel, number }: DraftEdit): void {
    const draft = this.get(chatId);
    this.#set(chatId, { ...draft, text, edits: new Map(draft.edits).set(panel, number) });
  }

  /** Puts a sent message into the message box for editing, and keeps the text that was there. */
  beginEdit(chatId: string, messageId: string, { text, images }: WrittenContent): void {
    const draft = this.get(chatId);
    const setAside = draft.editing === null ? contentOf(draft) : draft.setAside;
    this.#set(chatId, { ...draft, text, images, editing: messageId, setAside, original: null, revision: draft.revision + 1 });
  }

  replace(chatId: string, text: string): void {
    const draft = this.get(chatId);
    this.#set(chatId, { ...draft, text, original: null, revision: draft.revision + 1 });
  }

  keepOriginal(chatId: string, original: string | null): void {
    this.#set(chatId, { ...this.get(chatId), original });
  }

  /** Inserts a text and images at the start of the draft. An empty line separates the texts. */
  prepend(chatId: string, { text, images }: WrittenContent): void {
    const draft = this.get(chatId);
    const joined = [text, draft.text].filter((each) => each.trim() !== '').join('\n\n');
    this.#set(chatId, { ...draft, text: joined, images: [...images, ...draft.images], revision: draft.revision + 1 });
  }

  removeImage(chatId: string, blob: string): void {
    const draft = this.get(chatId);
    this.#set(chatId, { ...draft, images: draft.images.filter((image) => image.blob !== blob) });
  }

  /** Empties the draft because its message is sent. Returns the id for that message. The next draft gets a new id. */
  take(chatId: string): string {
    const { messageId } = this.get(chatId);
    this.#messageIds.delete(chatId);
    this.finish(chatId);
    return messageId;
  }

  /** Ends sending or an edit: the draft becomes the one from before the edit, or empty. */
  finish(chatId: string): void {
    const draft = this.get(chatId);
    this.#set(chatId, { ...draft, ...draft.setAside, setAside: NOTHING, editing: null, original: null, revision: draft.revision + 1 });
  }

  /** Resets the edit number of a panel whose webview was closed or replaced. A new one counts from the beginning. */
  forgetEdits(panel: string): void {
    for (const [chatId, draft] of this.#drafts) {
      const edits = new Map(draft.edits);
      edits.delete(panel);
      this.#drafts.set(chatId, { ...draft, edits });
    }
  }

  /** Writes unsaved drafts before the window closes. A write in progress is repeated, so that this waits for it. */
  async flush(): Promise<void> {
    const chatIds = [...this.#unwritten.keys()];
    await Promise.all(chatIds.map((chatId) => this.#write(chatId)));
  }

  #set(chatId: string, draft: StoredDraft): void {
    this.#drafts.set(chatId, draft);
    clearTimeout(this.#unwritten.get(chatId));
    const timer = setTimeout(() => {
      void this.#write(chatId);
    }, WRITE_DELAY_MS);
    this.#unwritten.set(chatId, timer);
    this.#changed(chatId, 'content');
  }

  #changed(chatId: string, change: DraftChange): void {
    this.#listeners.call(chatId, change);
  }

  async #write(chatId: string): Promise<void> {
    const timer = this.#unwritten.get(chatId);
    clearTimeout(timer);
    const { text, images, editing, setAside, original } = this.get(chatId);
    try {
      const isEmpty = text === '' && images.length === 0 && editing === null;
      await this.#storage.write(chatId, isEmpty ? '' : JSON.stringify({ text, images, editing, setAside, original }));
      if (this.#unwritten.get(chatId) === timer) {
        this.#unwritten.delete(chatId);
      }
      this.#setSaveFailure(chatId, null);
    } catch (thrown) {
      this.#setSaveFailure(chatId, toLoupeError(thrown));
    }
  }

  /** Each key press tries to save again, so the same failure is logged only once. */
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

function contentOf({ text, images }: StoredDraft): WrittenContent {
  return { text, images };
}

/** Parses a stored draft. Throws `storage` when the file has another format. */
function keptDraft(json: string): Partial<StoredDraft> {
  if (json === '') {
    return {};
  }
  const parsed = keptSchema.safeParse(parseJson(json));
  if (!parsed.success) {
    throw failure('storage.damagedDraft');
  }
  return parsed.data;
}
