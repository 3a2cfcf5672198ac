import { join } from 'node:path';
import { OPENED_MESSAGES } from '../../src/storage/reading/chatLog.js';
import { DEFAULTS } from '../support/host/window.js';
import { answerId, writeLongLog } from '../support/storage/longLog.js';
import { storeIn, UNWATCHED } from './store.js';

export interface SummarizedChat {
  readonly chatId: string;
  readonly exchanges: number;
  /** The number of last exchanges that the summary does not replace. */
  readonly keptExchanges: number;
  /** The text of a message, numbered from 0. */
  readonly said: (message: number) => string;
}

export const SUMMARY = 'They spoke of many files.';

const SUMMARY_ID = '1700000000000-5ca1ab1e';

/** Writes a long summarized chat and its derived files to the storage in `root`. */
export async function writeSummarizedChat(root: string, { chatId, exchanges, keptExchanges, said }: SummarizedChat): Promise<void> {
  await writeLongLog(join(root, 'chats', chatId), { chatId, writer: 'earlier', exchanges, config: DEFAULTS, said });
  const store = storeIn(root, 'bench');
  try {
    const { fold } = await store.openWhole(chatId, OPENED_MESSAGES, UNWATCHED);
    const [first] = fold.state.timeline.flatMap((item) => (item.kind === 'message' ? [item.message.id] : []));
    const { written } = store.journal(chatId).append(
      [
        { type: 'message', runId: null, message: { role: 'summary', id: SUMMARY_ID, text: SUMMARY } },
        {
          type: 'compacted',
          runId: null,
          compaction: {
            id: '1700000000000-c0ffee00',
            policy: 'manual',
            case: 'summarize',
            from: first ?? '',
            to: answerId(exchanges - 1 - keptExchanges),
            summaryId: SUMMARY_ID,
            tokens: { before: exchanges * 200, after: 20 },
            lines: [],
          },
        },
      ],
      'durable',
    );
    await written;
    await store.updateDerived(chatId, OPENED_MESSAGES);
  } finally {
    await store.close();
  }
}
