import { dirname, join } from 'node:path';
import { isChatId } from '../engine/chat/order/ids.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { withStorageError } from './files/failure.js';
import { makeNodeFolder } from './files/files.js';
import { readText, replaceText } from './files/replaceFile.js';
import { JobQueue } from './files/jobQueue.js';

/** The last shown chat, stored in `current-chat` at the storage root. Methods throw `storage` when the disk fails. */
export class CurrentChatFile {
  readonly #path: string;
  readonly #writing = new JobQueue();

  constructor(root: string) {
    this.#path = join(root, 'current-chat');
  }

  /** Returns null before the first write, or when the file holds no chat id. */
  async read(): Promise<string | null> {
    const text = await withStorageError(STORAGE_WORK.findCurrent, () => readText(this.#path));
    return isChatId(text) ? text : null;
  }

  write(chatId: string): Promise<void> {
    const replace = async (): Promise<void> => {
      await makeNodeFolder(dirname(this.#path));
      await replaceText(this.#path, chatId);
    };
    return this.#writing.next(() => withStorageError(STORAGE_WORK.rememberCurrent, replace));
  }
}
