import { STORAGE_WORK } from '../engine/failures/storage.js';
import { join } from 'node:path';
import { told } from './failure.js';
import { chatFolder } from './layout.js';
import { readText, replaceText } from './replaceFile.js';

const DRAFT_FILE = 'draft.json';

/**
 * The unsent text of each chat, in `chats/<chatId>/draft.json`: it outlives the window, and goes with the chat. Not
 * part of the log, since it is replaced at every key. Methods throw `storage` when the disk fails and
 * `invalidInput` for what is no chat id.
 */
export class DraftFiles {
  readonly #root: string;
  /** Writes to a chat's draft follow each other: the last one called is the one that stays. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** '' for a chat without a draft. */
  async read(chatId: string): Promise<string> {
    const path = this.#path(chatId);
    return told(STORAGE_WORK.readDraft, () => readText(path));
  }

  /** Replaces the draft in one step; '' removes it. */
  async write(chatId: string, text: string): Promise<void> {
    const path = this.#path(chatId);
    const before = this.#writing.get(chatId) ?? Promise.resolve();
    const written = before.then(() => replaceText(path, text));
    this.#writing.set(
      chatId,
      written.catch(() => undefined),
    );
    await told(STORAGE_WORK.saveDraft, () => written);
  }

  #path(chatId: string): string {
    return join(chatFolder(this.#root, chatId), DRAFT_FILE);
  }
}
