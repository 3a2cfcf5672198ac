import { STORAGE_WORK } from '../engine/failures/storage.js';
import { join } from 'node:path';
import { withStorageError } from './files/failure.js';
import { chatFolder } from './files/layout.js';
import { readText, replaceText } from './files/replaceFile.js';
import { JobQueue } from './files/jobQueue.js';

const DRAFT_FILE = 'draft.json';

/**
 * The unsent text of each chat, in `chats/<chatId>/draft.json`. The file exists longer than the VS Code window and is
 * deleted with the chat. Each key press replaces the text, so the text is not in the log. Methods throw `storage` when
 * the disk fails, and `invalidInput` for an invalid chat id.
 */
export class DraftFiles {
  readonly #root: string;
  /** By chat id. Each draft has one queue, so the last call writes the final text. */
  readonly #writing = new Map<string, JobQueue>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Returns the draft of a chat, or '' without a draft. */
  async read(chatId: string): Promise<string> {
    const path = this.#path(chatId);
    return withStorageError(STORAGE_WORK.readDraft, () => readText(path));
  }

  /** Replaces the draft in one step. '' removes the draft. */
  async write(chatId: string, text: string): Promise<void> {
    const path = this.#path(chatId);
    const writing = this.#writing.get(chatId) ?? new JobQueue();
    this.#writing.set(chatId, writing);
    await writing.next(() => withStorageError(STORAGE_WORK.saveDraft, () => replaceText(path, text)));
  }

  #path(chatId: string): string {
    return join(chatFolder(this.#root, chatId), DRAFT_FILE);
  }
}
