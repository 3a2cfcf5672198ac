import type { ChatEvent } from '../../engine/chat/event.js';
import { STORAGE_WORK } from '../../engine/failures/storage.js';
import type { ImportLosses } from './checkCopy.js';
import type { ZipOptions } from './chatZip.js';
import { copyChat, fillFromFolder, type CopyOptions, type CopyTarget, type FillCopy, type FilledCopy } from './copyChat.js';
import type { CopyWatch } from '../files/copyWatch.js';
import { withStorageError } from '../files/failure.js';
import { readLogContents, type TakeEvents } from '../reading/logContents.js';
import type { SegmentFault } from '../log/segment.js';

export interface TransferOptions extends CopyOptions {
  /** Returns the folder of a chat. Throws `invalidInput` for an invalid chat id. */
  folder(chatId: string): string;
  unsaved(chatId: string): readonly ChatEvent[];
}

export type NewCopy = Pick<CopyTarget, 'chatId' | 'folders'>;

/** Imports and exports whole chats. Methods throw `storage` on failure, and `cancelled` when the signal aborts. */
export class ChatTransfers {
  readonly #options: TransferOptions;

  constructor(options: TransferOptions) {
    this.#options = options;
  }

  /** Copies the chat in the folder `from`, which may be of another workspace, as a new chat of this workspace. */
  importChat(from: string, chat: NewCopy, watch: CopyWatch): Promise<void> {
    return this.#copy(() => Promise.resolve(fillFromFolder(from, watch)), chat, watch);
  }

  /** Imports the chat in an exported file or folder. Returns the losses. Throws `invalidInput` for an unusable file. */
  importFile(path: string, chat: NewCopy, watch: CopyWatch): Promise<ImportLosses> {
    return this.#copy(async () => (await import('./importFile.js')).fillFromExport(path, watch), chat, watch);
  }

  /** Reads all events of a chat, even a deleted chat, and unsaved events of this window. Returns the log's faults. */
  async readLog(chatId: string, take: TakeEvents, watch: CopyWatch): Promise<readonly SegmentFault[]> {
    const unsaved = this.#options.unsaved(chatId);
    return withStorageError(STORAGE_WORK.readLog, () => readLogContents(this.#options.folder(chatId), unsaved, take, watch));
  }

  async writeZip(chatId: string, options: Omit<ZipOptions, 'unsaved'>): Promise<void> {
    const unsaved = this.#options.unsaved(chatId);
    await withStorageError(STORAGE_WORK.readLog, async () => {
      const { writeChatZip } = await import('./chatZip.js');
      await writeChatZip(this.#options.folder(chatId), { ...options, unsaved });
    });
  }

  #copy<T>(fill: () => Promise<FillCopy<FilledCopy<T>>>, { chatId, folders }: NewCopy, watch: CopyWatch): Promise<T> {
    const target = { folder: this.#options.folder(chatId), chatId, folders };
    return withStorageError(STORAGE_WORK.import, async () => copyChat(await fill(), target, this.#options, watch));
  }
}
