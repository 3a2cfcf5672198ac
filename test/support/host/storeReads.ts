import type { ChatStore } from '../../../src/storage/chatStore.js';
import { Gate } from '../http/gate.js';
import type { Window } from './window.js';

/** Holds the next read of a chat's log until `goOn`. */
export function holdReads({ store }: Window): { readonly reading: Promise<void>; readonly goOn: () => void } {
  let goOn = (): void => undefined;
  const { opened: reading, open: started } = new Gate();
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let isNext = true;
  beforeReads(store, async (read) => {
    const opened = await read();
    if (isNext) {
      isNext = false;
      started();
      await held;
    }
    return opened;
  });
  return { reading, goOn };
}

export function countReads({ store }: Window): () => number {
  let count = 0;
  beforeReads(store, (read) => {
    count += 1;
    return read();
  });
  return () => count;
}

function beforeReads(store: ChatStore, around: <T>(read: () => Promise<T>) => Promise<T>): void {
  const [openEnd, openWhole, row] = [store.openEnd.bind(store), store.openWhole.bind(store), store.row.bind(store)];
  store.openEnd = (...args) => around(() => openEnd(...args));
  store.openWhole = (...args) => around(() => openWhole(...args));
  store.row = (chatId) => around(() => row(chatId));
}
