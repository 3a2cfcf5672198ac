import { dirname, join } from 'node:path';
import { isChatId } from '../engine/chat/ids.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { told } from './failure.js';
import { makeNodeFolder } from './files.js';
import { readText, replaceText } from './replaceFile.js';

/**
 * Which chat was on show last, in `current-chat` at the storage root. Methods throw `storage` when the disk fails.
 */
export class CurrentChatFile {
  readonly #path: string;
  /** Writes follow each other: the last one called is the one that stays. */
  #writing: Promise<void> = Promise.resolve();

  constructor(root: string) {
    this.#path = join(root, 'current-chat');
  }

  /** Null when none was shown yet, or the file holds no chat id. */
  async read(): Promise<string | null> {
    const text = await told(STORAGE_WORK.findCurrent, () => readText(this.#path));
    return isChatId(text) ? text : null;
  }

  write(chatId: string): Promise<void> {
    const written = this.#writing.then(() => this.#replace(chatId));
    this.#writing = written.catch(() => undefined);
    return written;
  }

  #replace(chatId: string): Promise<void> {
    return told(STORAGE_WORK.rememberCurrent, async () => {
      await makeNodeFolder(dirname(this.#path));
      await replaceText(this.#path, chatId);
    });
  }
}
