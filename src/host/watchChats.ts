import { toLoupeError, type LoupeError } from '../engine/errors.js';
import { ChatsWatch } from '../storage/chatsWatch.js';
import type { Ticker } from '../storage/liveness.js';
import type { Chats } from './chat/chats.js';

/** A window that was killed writes nothing more, so nothing but looking tells. One small file is read for each open run. */
const RUNS_MS = 1_000;

/**
 * File systems forget to tell of changes, above all those of networks and containers, and folders beyond the number
 * that is watched tell nothing. Looking costs a few file operations for each chat.
 */
const ALL_MS = 15_000;

export interface WatchPorts {
  /** The storage folder of the workspace. */
  readonly root: string;
  readonly writerId: string;
  readonly ticker: Ticker;
  logError(error: LoupeError): void;
}

/** Keeps the chats of a window up to date with what other windows do, until it is disposed. */
export function watchChats(chats: Chats, { root, writerId, ticker, ...ports }: WatchPorts): { dispose(): void } {
  const tell = (thrown: unknown): void => {
    ports.logError(toLoupeError(thrown));
  };
  const watch = new ChatsWatch({
    root,
    writerId,
    changed: (chatIds) => {
      // A chat that is just being created is followed from then on, and told of when it is there.
      chats.otherWindows.look(chatIds).then(follow).catch(tell);
    },
    report: tell,
  });
  const follow = (): void => {
    watch.follow(chats.watchedIds());
  };
  const ends = [
    // A chat that is new, here or elsewhere, may be written to from then on.
    chats.onChange({ changed: follow }),
    ticker(RUNS_MS, () => {
      chats.otherWindows.lookAtRuns().catch(tell);
    }),
    ticker(ALL_MS, () => {
      chats.otherWindows.lookAtAll().catch(tell);
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
