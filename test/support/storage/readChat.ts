import type { ChatEvent } from '../../../src/engine/chat/event.js';
import { logOrder } from '../../../src/engine/chat/order/order.js';
import type { OpenedChat } from '../../../src/storage/reading/chatLog.js';
import type { ChatStore } from '../../../src/storage/chatStore.js';
import type { WriterState } from '../../../src/storage/windows/liveness.js';
import type { ReadWatch } from '../../../src/storage/reading/logReading.js';

export const UNWATCHED: ReadWatch = { progress: () => undefined, signal: new AbortController().signal };

interface OpenRun {
  readonly runId: string;
  readonly writer: string;
  readonly state: WriterState;
}

export interface ChatOnDisk extends Omit<OpenedChat, 'openRuns'> {
  readonly events: readonly ChatEvent[];
  readonly openRuns: readonly OpenRun[];
}

export async function readChat(store: ChatStore, chatId: string): Promise<ChatOnDisk> {
  const opened = await store.openWhole(chatId, 0, UNWATCHED);
  const openRuns = await Promise.all(
    opened.openRuns.list().map(async ([runId, writer]) => ({ runId, writer, state: await store.writerState(chatId, writer) })),
  );
  // A writer can end its run after the log was read. A dead writer has written everything by now.
  const isSomeDead = openRuns.some(({ state }) => state === 'dead');
  const { openRuns: stillOpen } = isSomeDead ? await store.openWhole(chatId, 0, UNWATCHED) : opened;
  const events: ChatEvent[] = [];
  await store.transfers.readLog(
    chatId,
    (some) => {
      events.push(...some);
      return Promise.resolve();
    },
    UNWATCHED,
  );
  return { ...opened, events: logOrder(events), openRuns: openRuns.filter(({ runId }) => stillOpen.has(runId)) };
}
