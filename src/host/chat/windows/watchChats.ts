import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import { ChatsWatch } from '../../../storage/windows/chatsWatch.js';
import type { Ticker } from '../../../storage/windows/liveness.js';
import type { Chats } from '../chats.js';

/** Poll interval of open runs, in ms. Only a poll finds a killed window. It reads one small file per open run. */
const RUNS_MS = 1_000;

/**
 * Poll interval of all chats, in ms. File systems miss changes, above all on networks and in containers, and folders
 * beyond the watch limit report none. A poll costs a few file operations per chat.
 */
const ALL_MS = 15_000;

export interface WatchPorts {
  readonly root: string;
  readonly writerId: string;
  readonly ticker: Ticker;
  logError(error: LoupeError): void;
}

/** Keeps the chats of a window up to date with other windows, until it is disposed. */
export function watchChats(chats: Chats, { root, writerId, ticker, ...ports }: WatchPorts): { dispose(): void } {
  const tell = (thrown: unknown): void => {
    ports.logError(toLoupeError(thrown));
  };
  const watch = new ChatsWatch({
    root,
    writerId,
    changed: (chatIds) => {
      // The poll may find chats that are still being created, so `follow` watches them as well.
      chats.otherWindows.poll(chatIds).then(follow).catch(tell);
    },
    report: tell,
  });
  const follow = (): void => {
    watch.follow(chats.watchedIds());
  };
  const ends = [
    // Other windows may write to a new chat from now on.
    chats.onChange({ changed: follow }),
    ticker(RUNS_MS, () => {
      chats.otherWindows.pollRuns().catch(tell);
    }),
    ticker(ALL_MS, () => {
      chats.otherWindows.pollAll().catch(tell);
    }),
  ];
  watch.start();
  return {
    dispose: () => {
      ends.forEach((end) => {
        end();
      });
      watch.dispose();
    },
  };
}
