import { hostname } from 'node:os';
import { systemClock, systemRandom } from '../../src/host/systemPorts.js';
import { ChatStore } from '../../src/storage/chatStore.js';
import { nodeFiles } from '../../src/storage/files.js';
import { nodeTicker } from '../../src/storage/liveness.js';

/** The chats below `root` as a window has them. What nobody waits for must not fail either. */
export function openStore(root: string): ChatStore {
  return new ChatStore({
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
}
