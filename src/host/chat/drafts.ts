import * as z from 'zod/mini';
import {
  editedParts,
  writtenMessage,
  writtenParts,
  type Message,
  type UserMessage,
  type WrittenContent,
} from '../../engine/chat/message/message.js';
import type { ImagePart } from '../../engine/model/part.js';
import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import { parseJson } from '../../engine/json.js';
import type { DraftFiles } from '../../storage/drafts.js';
import { Listeners } from '../../engine/listeners.js';

/** Pause after the last key until a draft is written, in ms. */
const WRITE_DELAY_MS = 250;

export interface Draft extends WrittenContent {
  /** Id that the draft's message will have. The preview uses this id, so that the preview equals the sent request. */
  readonly messageId: string;
  /** Incremented when the extension changes the text. The user's typing does not increment it. */
  readonly revision: number;
  /** The number of the last edit that arrived from the webview of each panel. 0 for a panel without an entry. */
  readonly edits: ReadonlyMap<string, number>;
  /** Id of the sent user message that this draft will replace, or null when the draft is a new message. */
  readonly editing: string | null;
  /** The draft from before the user started to edit a sent message. The end of the edit restores this draft. */
  readonly setAside: WrittenContent;
  /** The user's text before a model shortened it, or null when the text was not shortened. */
  readonly original: string | null;
}

/**
 * A draft to preview. Without text and images, the preview has no new message. `editing` is null for a new message.
 * `messageId` is null for a text that is not the draft of the chat.
 */
export type DraftToPreview = WrittenContent & Pick<Draft, 'editing'> & { readonly messageId: string | null };

/** The id of a message that is only previewed and never sent. */
export const NO_ID = 'draft';

/** Returns the message that a draft would become, or none for an empty draft. `edited` is the message to replace. */
export function draftMessages(written: Omit<DraftToPreview, 'editing'>, edited: Message | null): readonly UserMessage[] {
  const parts = edited?.role === 'user' ? editedParts(edited, written) : writtenParts(written);
  return parts.length === 0 ? [] : [writtenMessage(written.messageId ?? NO_ID, parts)];
}

/** Identifies an edit of the draft. Each panel's webview numbers its edits. */
export interface DraftEdit {
  readonly panel: string;
  readonly number: number;
}

const NOTHING: WrittenContent = { text: '', images: [] };

interface ImageRead {
  readonly panel: string;
  readonly chatId: string;
  readonly end: (areAdded: boolean) => void;
}

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
      name: z.exactOptional(z.string()),
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

/** The draft of each chat. Stored on disk without `messageId`, `revision` and `edits`. */
export class Drafts {
  readonly #storage: Pick<DraftFiles, 'read' | 'write'>;
  readonly #drafts = new Map<string, StoredDraft>();
  /** Ids that the drafts' messages will have, by chat. Not stored, because an id is needed only until sending. */
  readonly #messageIds = new Map<string, string>();
  readonly #newId: () => string;
  readonly #logError: (error: LoupeError) => void;
  readonly #listeners = new Listeners<[chatId: string, change: DraftChange]>();
  readonly onChange = this.#listeners.add;
  /** Timers that will save changed drafts, by chat id. Includes drafts that are just being saved. */
  readonly #unwritten = new Map<string, NodeJS.Timeout>();
  /** Images that are being added, by chat. */
  readonly #adding = new Map<string, Promise<boolean>>();
  /** Images that the webviews of panels still read, oldest first. */
  readonly #reads: ImageRead[] = [];
  /** The error of the last failed save, by chat. */
  readonly #failures = new Map<string, LoupeError>();

  constructor(storage: Pick<DraftFiles, 'read' | 'write'>, newId: () => string, logError: (error: LoupeError) => void) {
    this.#storage = storage;
    this.#newId = newId;
    this.#logError = logError;
  }

  /** Reads the draft of a chat from disk before the chat is shown. An unreadable draft is logged and emptied. */
  async load(chatId: string): Promise<void> {
    if (this.#drafts.has(chatId)) {
      return;
    }
    try {
      const kept = keptDraft(await this.#storage.read(chatId));
      this.#drafts.set(chatId, this.#drafts.get(chatId) ?? { ...NO_DRAFT, ...kept });
      // Listeners update the list of chats, which contains an untouched chat only if the chat has a draft.
      this.#changed(chatId, 'saving');
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

  /** Puts a sent message into the message box for editing. Keeps the earlier text in `setAside`. */
  beginEdit(chatId: string, messageId: string, { text, images }: WrittenContent): void {
    const draft = this.get(chatId);
    const setAside = draft.editing === null ? contentOf(draft) : draft.setAside;
    const drafted = { text, images: withoutRepeats(images), editing: messageId, setAside };
    this.#set(chatId, { ...draft, ...drafted, original: null, revision: draft.revision + 1 });
  }

  replace(chatId: string, text: string): void {
    const draft = this.get(chatId);
    this.#set(chatId, { ...draft, text, original: null, revision: draft.revision + 1 });
  }

  keepOriginal(chatId: string, original: string | null): void {
    this.#set(chatId, { ...this.get(chatId), original });
  }

  /** Inserts a text and images at the start of the draft, with an empty line between the texts. */
  prepend(chatId: string, { text, images }: WrittenContent): void {
    const draft = this.get(chatId);
    const joined = [text, draft.text].filter((each) => each.trim() !== '').join('\n\n');
    this.#set(chatId, { ...draft, text: joined, images: withoutRepeats([...images, ...draft.images]), revision: draft.revision + 1 });
  }

  /** Adds an image at the end. An image that is already in the draft changes nothing. */
  addImage(chatId: string, image: ImagePart): void {
    const draft = this.get(chatId);
    if (!draft.images.some(({ blob }) => blob === image.blob)) {
      this.#set(chatId, { ...draft, images: [...draft.images, image] });
    }
  }

  /** Replaces an image, at its place. Without this image, changes nothing. */
  replaceImage(chatId: string, blob: string, image: ImagePart): void {
    const draft = this.get(chatId);
    this.#set(chatId, { ...draft, images: withoutRepeats(draft.images.map((each) => (each.blob === blob ? image : each))) });
  }

  removeImage(chatId: string, blob: string): void {
    const draft = this.get(chatId);
    this.#set(chatId, { ...draft, images: draft.images.filter((image) => image.blob !== blob) });
  }

  /** Call this when the user adds images. `added` resolves to whether all of them were added. */
  awaitImages(chatId: string, added: Promise<boolean>): void {
    const all = Promise.all([this.#adding.get(chatId) ?? true, added]).then((each) => each.every(Boolean));
    this.#adding.set(chatId, all);
    void all.then(() => {
      if (this.#adding.get(chatId) === all) {
        this.#adding.delete(chatId);
      }
    });
  }

  /** Call this when the webview of a panel begins to read images. Sending the draft waits for `endRead`. */
  beginRead(panel: string, chatId: string): void {
    const added = new Promise<boolean>((end) => this.#reads.push({ panel, chatId, end }));
    this.awaitImages(chatId, added);
  }

  /** Ends the oldest read of a panel for a chat. */
  endRead(panel: string, chatId: string, areAdded: boolean): void {
    const at = this.#reads.findIndex((read) => read.panel === panel && read.chatId === chatId);
    const [read] = at === -1 ? [] : this.#reads.splice(at, 1);
    read?.end(areAdded);
  }

  /** Resolves when no image is being added, to whether all were added. Null when no image is being added. */
  imagesAdded(chatId: string): Promise<boolean> | null {
    return this.#adding.get(chatId) ?? null;
  }

  /** Empties the draft because its message is being sent. Returns the id that this message must get. */
  take(chatId: string): string {
    const { messageId } = this.get(chatId);
    this.#messageIds.delete(chatId);
    this.finish(chatId);
    return messageId;
  }

  /** Call it after sending or after an edit. Restores the draft from before the edit, or empties the draft. */
  finish(chatId: string): void {
    const draft = this.get(chatId);
    this.#set(chatId, { ...draft, ...draft.setAside, setAside: NOTHING, editing: null, original: null, revision: draft.revision + 1 });
  }

  /** Call this when the webview of a panel was closed or replaced: its edits and image reads have ended. */
  forgetEdits(panel: string): void {
    for (const { chatId } of this.#reads.filter((read) => read.panel === panel)) {
      this.endRead(panel, chatId, false);
    }
    for (const [chatId, draft] of this.#drafts) {
      const edits = new Map(draft.edits);
      edits.delete(panel);
      this.#drafts.set(chatId, { ...draft, edits });
    }
  }

  /** Writes unsaved drafts before the window closes. Repeats a write that is in progress, to wait for its end. */
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

  /** Every key press tries to save again. The same failure is logged only once. */
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

/** Returns each image once. The message box identifies an image by its content. */
function withoutRepeats(images: readonly ImagePart[]): readonly ImagePart[] {
  return images.filter(({ blob }, index) => images.findIndex((image) => image.blob === blob) === index);
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
