import { dirname, join } from 'node:path';
import { isChatId } from '../engine/chat/order/ids.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { withStorageError } from './files/failure.js';
import { makeNodeFolder } from './files/files.js';
import { readText, replaceText } from './files/replaceFile.js';
import { JobQueue } from './files/jobQueue.js';

/** The id of the last shown chat, in `current-chat` at the storage root. Methods throw `storage` for disk failures. */
export class CurrentChatFile {
  readonly #path: string;
  readonly #writing = new JobQueue();

  constructor(root: string) {
    this.#path = join(root, 'current-chat');
  }

  /** Returns the id; null before the first write, or when the file contains no chat id. */
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
