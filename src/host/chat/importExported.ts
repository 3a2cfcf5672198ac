import { basename } from 'node:path';
import { failure, toLoupeError } from '../../engine/errors.js';
import type { ChatStore } from '../../storage/chatStore.js';
import type { ImportLosses } from '../../storage/transfer/checkCopy.js';
import type { NewCopy } from '../../storage/transfer/chatTransfers.js';
import { partOf, type CopyWatch } from '../../storage/files/copyWatch.js';
import type { ReadWatch } from '../../storage/reading/logReading.js';
import type { ChatSession } from './chatSession.js';

/** A chat that was in an exported file, and what of it could not be taken over. */
export interface ImportedFile {
  readonly session: ChatSession;
  readonly losses: ImportLosses;
}

export interface ImportExportedPorts {
  readonly store: Pick<ChatStore, 'transfers' | 'discardCopy'>;
  /** What it becomes. */
  readonly chat: NewCopy;
  readonly open: (chatId: string, watch: ReadWatch) => Promise<ChatSession>;
}

/** The share of the work that is copying and checking; the rest is opening the chat. */
const COPY_SHARE = 0.7;

/** Takes over the chat in an exported file or folder. Throws `cancelled`, and `invalidInput` when it cannot; then nothing of it stays. */
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
    // Its checksums were right, but another program may have made them.
    throw failure('import.unreadable', { name: basename(path) }, { cause: thrown });
  }
}
