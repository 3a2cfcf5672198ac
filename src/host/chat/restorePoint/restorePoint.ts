import { type LoupeError, logFailure } from '../../../engine/errors.js';
import { SHUT_DOWN } from '../../../engine/run/input.js';
import type { ChatStore } from '../../../storage/chatStore.js';
import type { Behaviour } from '../behaviours/behaviour.js';
import type { SessionLog } from '../sessionLog.js';

/** Time in ms without events until Loupe updates a chat's derived files, so that events in a row cause one update. */
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
    // Makes no last update: the next opening of the chat reads the missing part from the log.
    stop: (reason) => {
      clearTimeout(timer);
      isClosed = reason === SHUT_DOWN;
      return Promise.resolve();
    },
  };
}
