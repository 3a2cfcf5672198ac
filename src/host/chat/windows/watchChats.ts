import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import { ChatsWatch } from '../../../storage/windows/chatsWatch.js';
import type { Ticker } from '../../../storage/windows/liveness.js';
import type { Chats } from '../chats.js';

/** A killed window writes nothing more, so only a poll finds it. A poll reads one small file for each open run. */
const RUNS_MS = 1_000;

/**
 * File systems miss changes, above all on networks and in containers, and folders beyond the watch limit report none.
 * A poll costs a few file operations for each chat.
 */
const ALL_MS = 15_000;

export interface WatchPorts {
  /** The storage folder of the workspace. */
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
      // The poll may find chats that are still being created: `follow` watches them, too.
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
