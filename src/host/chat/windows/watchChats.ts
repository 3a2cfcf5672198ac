import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import { ChatsWatch } from '../../../storage/windows/chatsWatch.js';
import type { Ticker } from '../../../storage/windows/liveness.js';
import type { Chats } from '../chats.js';

/** Poll interval for open runs, in ms. Only a poll detects a killed VS Code window. It reads one file per open run. */
const RUNS_MS = 1_000;

/**
 * Poll interval for all chats, in ms. File watchers miss changes, above all on network drives and in containers.
 * Folders beyond the watch limit of the system report no changes. A poll costs a few file operations per chat.
 */
const ALL_MS = 15_000;

export interface WatchPorts {
  readonly root: string;
  readonly writerId: string;
  readonly ticker: Ticker;
  logError(error: LoupeError): void;
}

/** Updates the chats of this VS Code window with what other windows write, until the result is disposed. */
export function watchChats(chats: Chats, { root, writerId, ticker, ...ports }: WatchPorts): { dispose(): void } {
  const tell = (thrown: unknown): void => {
    ports.logError(toLoupeError(thrown));
  };
  const watch = new ChatsWatch({
    root,
    writerId,
    changed: (chatIds) => {
      // A poll may find chats that are still being created. `follow` then watches their folders too.
      chats.otherWindows.poll(chatIds).then(follow).catch(tell);
    },
    report: tell,
  });
  const follow = (): void => {
    watch.follow(chats.watchedIds());
  };
  const ends = [
    // Other windows may write to a new chat, so watch it as well.
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
