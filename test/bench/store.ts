import { hostname } from 'node:os';
import { systemClock } from '../../src/host/window/systemPorts.js';
import { systemRandom } from '../../src/host/window/systemRandom.js';
import { ChatStore } from '../../src/storage/chatStore.js';
import { nodeFiles } from '../../src/storage/files/files.js';
import { nodeTicker } from '../../src/storage/windows/liveness.js';
import { RESTORE_STEP } from '../../src/storage/reading/restorePoint.js';
import type { ReadWatch } from '../../src/storage/reading/logReading.js';
import { inFolder } from './folder.js';

export const UNWATCHED: ReadWatch = { progress: () => undefined, signal: new AbortController().signal };

export function inStore<T>(measure: (store: ChatStore, root: string) => Promise<T>): Promise<T> {
  return inFolder(async (root) => {
    const store = storeIn(root, 'bench');
    try {
      return await measure(store, root);
    } finally {
      await store.close();
    }
  });
}

/** Opens the chats in a folder. Failures of background work count too. */
export function storeIn(root: string, writerId: string): ChatStore {
  return new ChatStore({
    root,
    self: { writerId, pid: process.pid, host: hostname() },
    clock: systemClock,
    random: systemRandom,
    files: nodeFiles,
    ticker: nodeTicker,
    restoreStep: RESTORE_STEP,
    report: (error) => {
      throw error;
    },
  });
}
