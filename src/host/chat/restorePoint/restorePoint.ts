import { type LoupeError, logFailure } from '../../../engine/errors.js';
import { SHUT_DOWN } from '../../../engine/run/input.js';
import type { ChatStore } from '../../../storage/chatStore.js';
import type { Behaviour } from '../behaviours/behaviour.js';
import type { SessionLog } from '../sessionLog.js';

/** Idle time in ms until the derived files of a chat are updated. Pauses between tool results are shorter. */
const REST_MS = 2_000;

export interface RestorePointPorts {
  readonly store: Pick<ChatStore, 'updateDerived'>;
  readonly log: Pick<SessionLog, 'state' | 'deletedBy'>;
  readonly isRunning: () => boolean;
  readonly neededMessages: () => number;
  logError(error: LoupeError): void;
}

/** Updates files that are derived from the log of an open chat, such as its restore point, while no run is active. */
export function restorePoint({ store, log, isRunning, neededMessages, ...ports }: RestorePointPorts): Behaviour {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const update = (): void => {
    // The end of the run schedules the update again.
    if (!isRunning() && log.deletedBy === null) {
      store.updateDerived(log.state.chatId, neededMessages()).catch(logFailure(ports));
    }
  };
  const schedule = (): void => {
    clearTimeout(timer);
    timer = isClosed ? undefined : setTimeout(update, REST_MS);
  };
  return {
    chatLoaded: schedule,
    eventsLogged: schedule,
    turnEnded: schedule,
    // The next opening of the chat reads the missing part from the log.
    stop: (reason) => {
      clearTimeout(timer);
      isClosed = reason === SHUT_DOWN;
      return Promise.resolve();
    },
  };
}
