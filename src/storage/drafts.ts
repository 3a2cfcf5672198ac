import { STORAGE_WORK } from '../engine/failures/storage.js';
import { join } from 'node:path';
import { told } from './failure.js';
import { chatFolder } from './layout.js';
import { readText, replaceText } from './replaceFile.js';
import { Turns } from './turns.js';

const DRAFT_FILE = 'draft.json';

/**
 * The unsent text of each chat, in `chats/<chatId>/draft.json`: it outlives the window, and goes with the chat. Not
 * part of the log, since it is replaced at every key. Methods throw `storage` when the disk fails and
 * `invalidInput` for what is no chat id.
 */
export class DraftFiles {
  readonly #root: string;
  /** Writes to a chat's draft follow each other: the last one called is the one that stays. */
  readonly #writing = new Map<string, Turns>();

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
    const writing = this.#writing.get(chatId) ?? new Turns();
    this.#writing.set(chatId, writing);
    await writing.next(() => told(STORAGE_WORK.saveDraft, () => replaceText(path, text)));
  }

  #path(chatId: string): string {
    return join(chatFolder(this.#root, chatId), DRAFT_FILE);
  }
}
