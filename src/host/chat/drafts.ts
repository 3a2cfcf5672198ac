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

/** Pause after the last key before a draft is written, in ms. */
const WRITE_DELAY_MS = 250;

export interface Draft extends WrittenContent {
  /** Incremented when the host itself changes the text. */
  readonly revision: number;
  /** By panel: its webview's number of the last edit that the host has received. None stands for 0. */
  readonly edits: ReadonlyMap<string, number>;
  /** Id of the user message that sending replaces; null for a new message. */
  readonly editing: string | null;
  /** What was being written before an edit began. */
  readonly setAside: WrittenContent;
  /** What the user had written before the model shortened it; null for a text of the user's own. */
  readonly original: string | null;
}

/** A draft to preview: without text and images for no message, `editing` is null for a new message. */
export type DraftToPreview = WrittenContent & Pick<Draft, 'editing'>;

/** The message of a draft, which replaces `edited` where that is there; none while the draft is empty. */
export function draftMessages(written: WrittenContent, edited: Message | null): readonly UserMessage[] {
  const parts = edited?.role === 'user' ? editedParts(edited, written) : writtenParts(written);
  return parts.length === 0 ? [] : [writtenMessage('draft', parts)];
}

/** An edit in the webview of a panel, which numbers them. */
export interface DraftEdit {
  readonly panel: string;
  readonly number: number;
}

const NOTHING: WrittenContent = { text: '', images: [] };

const NO_DRAFT: Draft = { ...NOTHING, revision: 0, edits: new Map(), editing: null, setAside: NOTHING, original: null };

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
  beginEdit(chatId: string, messageId: string, { text, images }: WrittenContent): void {
    const draft = this.get(chatId);
    const setAside = draft.editing === null ? contentOf(draft) : draft.setAside;
    this.#set(chatId, { ...draft, text, images, editing: messageId, setAside, original: null, revision: draft.revision + 1 });
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

  /** Puts a text in front of the draft, with an empty line between them, and its images in front of the draft's. */
  prepend(chatId: string, { text, images }: WrittenContent): void {
    const draft = this.get(chatId);
    const joined = [text, draft.text].filter((each) => each.trim() !== '').join('\n\n');
    this.#set(chatId, { ...draft, text: joined, images: [...images, ...draft.images], revision: draft.revision + 1 });
  }

  removeImage(chatId: string, blob: string): void {
    const draft = this.get(chatId);
    this.#set(chatId, { ...draft, images: draft.images.filter((image) => image.blob !== blob) });
  }

  /** After sending or cancelling: the draft becomes what was set aside, or empty. */
  finish(chatId: string): void {
    const draft = this.get(chatId);
    this.#set(chatId, { ...draft, ...draft.setAside, setAside: NOTHING, editing: null, original: null, revision: draft.revision + 1 });
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

function contentOf({ text, images }: Draft): WrittenContent {
  return { text, images };
}

/** A stored draft. Throws `storage` when the file holds something else. */
function keptDraft(json: string): Partial<Draft> {
  if (json === '') {
    return {};
  }
  const parsed = keptSchema.safeParse(parseJson(json));
  if (!parsed.success) {
    throw failure('storage.damagedDraft');
  }
  return parsed.data;
}
