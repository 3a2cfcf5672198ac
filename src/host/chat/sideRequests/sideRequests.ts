import { newId } from '../../../engine/chat/order/ids.js';
import type { SideRequests } from '../../../engine/chat/slices/sideRequests.js';
import type { Clock, RandomHex } from '../../../engine/ports.js';
import { SHUT_DOWN } from '../../../engine/run/input.js';
import type { BackgroundCount } from '../../../engine/next/backgroundCount.js';
import type { SessionLog } from '../sessionLog.js';

export interface SideRequestPorts {
  readonly log: Pick<SessionLog, 'record' | 'readOnly' | 'deletedBy'>;
  readonly counting: Pick<BackgroundCount, 'takeMade' | 'cancel' | 'close'>;
  readonly clock: Clock;
  readonly random: RandomHex;
}

/** Logs requests for a chat that belong to none of its runs, such as token counts of a draft. */
export function sideRequests({ log, counting, clock, random }: SideRequestPorts) {
  // Still logs to a chat that this VS Code window deleted, because an undo restores the chat with its usage.
  const isWritable = (): boolean => log.deletedBy !== 'anotherWindow' && log.readOnly === null;
  const add = async (requests: readonly SideRequests[]): Promise<void> => {
    if (isWritable()) {
      const events = requests.map((each) => ({ type: 'requests-made', attemptId: newId(clock, random), ...each }) as const);
      await log.record(events, 'written');
    }
  };
  /** Logs the requests for token counts since the last call. Loupe counts a draft at each pause in typing. */
  const addCounts = (): Promise<void> => (isWritable() ? add(counting.takeMade()) : Promise.resolve());
  return {
    add,
    requestComposed: () => {
      counting.cancel();
      void addCounts();
      return null;
    },
    stop: (reason: string) => {
      counting[reason === SHUT_DOWN ? 'close' : 'cancel']();
      return addCounts();
    },
  };
}
