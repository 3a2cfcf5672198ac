import { basename } from 'node:path';
import { failure, toLoupeError } from '../../engine/errors.js';
import type { ChatStore } from '../../storage/chatStore.js';
import type { ImportLosses } from '../../storage/transfer/checkCopy.js';
import type { NewCopy } from '../../storage/transfer/chatTransfers.js';
import { partOf, type CopyWatch } from '../../storage/files/copyWatch.js';
import type { ReadWatch } from '../../storage/reading/logReading.js';
import type { ChatSession } from './chatSession.js';

/** The chat from an exported file, and the parts that could not be imported. */
export interface ImportedFile {
  readonly session: ChatSession;
  readonly losses: ImportLosses;
}

export interface ImportExportedPorts {
  readonly store: Pick<ChatStore, 'transfers' | 'discardCopy'>;
  /** The id and the folders that the new chat will have. */
  readonly chat: NewCopy;
  readonly open: (chatId: string, watch: ReadWatch) => Promise<ChatSession>;
}

/** Share of the progress bar for copying and checking. The rest is for opening the chat. */
const COPY_SHARE = 0.7;

/** Imports an exported file or folder. A failed import leaves no files. Throws `cancelled` or `invalidInput`. */
export async function importExported(path: string, { store, chat, open }: ImportExportedPorts, watch: CopyWatch): Promise<ImportedFile> {
  const { chatId } = chat;
  const losses = await store.transfers.importFile(path, chat, partOf(watch, 0, COPY_SHARE));
  const opening = partOf(watch, COPY_SHARE, 1);
  const progress = (share: number): void => {
    opening.progress(share, 1);
  };
  try {
    return { session: await open(chatId, { signal: watch.signal, progress }), losses };
  } catch (thrown) {
    await store.discardCopy(chatId);
    if (toLoupeError(thrown).kind === 'cancelled') {
      throw failure('import.cancelled');
    }
    // The file has correct checksums but unknown content. Another program may have written it.
    throw failure('import.unreadable', { name: basename(path) }, { cause: thrown });
  }
}
