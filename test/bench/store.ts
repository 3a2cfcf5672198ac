import { hostname } from 'node:os';
import { systemClock, systemRandom } from '../../src/host/systemPorts.js';
import { ChatStore } from '../../src/storage/chatStore.js';
import { nodeFiles } from '../../src/storage/files.js';
import { nodeTicker } from '../../src/storage/liveness.js';
import { inFolder } from './folder.js';

/** Measures something with the chats of a new folder as a window has them. What nobody waits for must not fail either. */
export function inStore<T>(measure: (store: ChatStore, root: string) => Promise<T>): Promise<T> {
  return inFolder(async (root) => {
    const store = new ChatStore({
      root,
      self: { writerId: 'bench', pid: process.pid, host: hostname() },
      clock: systemClock,
      random: systemRandom,
      files: nodeFiles,
      ticker: nodeTicker,
      report: (error) => {
        throw error;
      },
    });
    try {
      return await measure(store, root);
    } finally {
      await store.close();
    }
  });
}
