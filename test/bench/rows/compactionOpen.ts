import { join } from 'node:path';
import { OPENED_MESSAGES } from '../../../src/storage/chatLog.js';

import { DEFAULTS, Windows } from '../../support/host/window.js';
import { bytesReadBy } from '../../support/storage/countedReads.js';
import { answerId, writeLongLog } from '../../support/storage/longLog.js';
import { chatTexts } from '../compactionChat.js';
import { race } from '../race.js';
import type { Row } from '../row.js';
import { storeIn, UNWATCHED } from '../store.js';

const CHAT = 'sess_1700000000000_aaaaaa';
const MESSAGES = 100_000;
/** Exchanges behind the summary. */
const OPEN_EXCHANGES = 10;
const SUMMARY_ID = '1700000000000-5ca1ab1e';
const ROUNDS = 15;

const OPENING = 'Loupe, opening and composing the next request';

export const compactionOpen: Row = {
  name: 'compaction-open',
  job: 'open a summarized chat of 100,000 messages of 400 characters in a window, and compose its next request',
  async measure() {
    const windows = new Windows();
    await windows.load();
    await windows.newFolder();
    try {
      await writeSummarized(windows.folder);
      const samples = await race([{ name: OPENING, run: () => openIn(windows) }], { rounds: ROUNDS });
      const bytes = await bytesReadBy(() => openIn(windows));
      return {
        samples,
        amount: null,
        verdicts: [{ what: 'read from the disk, in MB', measured: (bytes ?? NaN) / 1e6, target: { atMost: 3 } }],
      };
    } finally {
      await windows.closeAll();
    }
  },
};

/** A chat of which a summary stands for all but the last exchanges, with what is derived of its log. */
async function writeSummarized(root: string): Promise<void> {
  const exchanges = MESSAGES / 2;
  await writeLongLog(join(root, 'chats', CHAT), { chatId: CHAT, writer: 'earlier', exchanges, config: DEFAULTS, said: chatTexts() });
  const store = storeIn(root, 'bench');
  try {
    const { fold } = await store.openWhole(CHAT, OPENED_MESSAGES, UNWATCHED);
    const [first] = fold.state.timeline.flatMap((item) => (item.kind === 'message' ? [item.message.id] : []));
    const { written } = store.journal(CHAT).append(
      [
        { type: 'message', runId: null, message: { role: 'summary', id: SUMMARY_ID, text: 'They spoke of many files.' } },
        {
          type: 'compacted',
          runId: null,
          compaction: {
            id: '1700000000000-c0ffee00',
            policy: 'manual',
            case: 'summarize',
            from: first ?? '',
            to: answerId(exchanges - 1 - OPEN_EXCHANGES),
            summaryId: SUMMARY_ID,
            tokens: { before: MESSAGES * 100, after: 20 },
            lines: [],
          },
        },
      ],
      'durable',
    );
    await written;
    await store.updateDerived(CHAT, OPENED_MESSAGES);
  } finally {
    await store.close();
  }
}

async function openIn(windows: Windows): Promise<void> {
  const window = windows.open({ writerId: 'reader' });
  const session = await window.chats.open(CHAT);
  const composed = await session.preview({ text: 'And now?', editing: null });
  const { messages, isPartial } = composed;
  const { body } = composed.wire();
  await window.chats.close();
  if (messages !== 2 * OPEN_EXCHANGES || isPartial || !body.includes('They spoke of many files.') || session.state.extent !== 'end') {
    throw new Error(`${String(messages)} messages are in the request: ${JSON.stringify({ isPartial, extent: session.state.extent })}.`);
  }
}
