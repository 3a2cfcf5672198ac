import { hostname } from 'node:os';
import { toLoupeError } from '../engine/errors.js';
import { ChatStore } from '../storage/chatStore.js';
import { nodeFiles } from '../storage/files/files.js';
import { RESTORE_STEP } from '../storage/reading/restorePoint.js';
import { nodeTicker } from '../storage/windows/liveness.js';
import { systemClock } from './window/systemPorts.js';
import { systemRandom } from './window/systemRandom.js';
import type { WindowServices } from './windowServices.js';

/** Returns a function that returns the chats of a storage folder. */
export function chatStores({ writerId, logError }: Pick<WindowServices, 'writerId' | 'logError'>): (root: string) => ChatStore {
  return (root) =>
    new ChatStore({
      root,
      clock: systemClock,
      random: systemRandom,
      self: { writerId, pid: process.pid, host: hostname() },
      files: nodeFiles,
      ticker: nodeTicker,
      restoreStep: RESTORE_STEP,
      report: (error) => {
        logError(toLoupeError(error));
      },
    });
}
