import type { Windows } from '../../support/host/window.js';
import { bytesReadBy } from '../../support/storage/countedReads.js';
import { chatTexts } from '../compactionChat.js';
import { race } from '../race.js';
import type { Row } from '../row.js';
import { inWindows } from '../windows.js';
import { SUMMARY, writeSummarizedChat } from '../summarizedChat.js';

const CHAT = 'sess_1700000000000_aaaaaa';
const MESSAGES = 100_000;
const OPEN_EXCHANGES = 10;
const ROUNDS = 15;
const OPENING = 'Loupe, opening and composing the next request';

export const compactionOpen: Row = {
  name: 'compaction-open',
  job: 'open a summarized chat of 100,000 messages of 400 characters in a window, and compose its next request',
  measure: () =>
    inWindows(async (windows) => {
      await writeSummarizedChat(windows.folder, {
        chatId: CHAT,
        exchanges: MESSAGES / 2,
        keptExchanges: OPEN_EXCHANGES,
        said: chatTexts(),
      });
      const samples = await race([{ name: OPENING, run: () => openIn(windows) }], { rounds: ROUNDS });
      const bytes = await bytesReadBy(() => openIn(windows));
      return {
        samples,
        amount: null,
        verdicts: [{ what: 'read from the disk, in MB', measured: (bytes ?? NaN) / 1e6, target: { atMost: 3 } }],
      };
    }),
};

async function openIn(windows: Windows): Promise<void> {
  const window = windows.open({ writerId: 'reader' });
  const session = await window.chats.open(CHAT);
  const composed = await session.next.preview({ text: 'And now?', editing: null });
  const { messages, isPartial } = composed;
  const { body } = composed.wire();
  await window.chats.close();
  if (messages !== 2 * OPEN_EXCHANGES || isPartial || !body.includes(SUMMARY) || session.state.extent !== 'end') {
    throw new Error(`${String(messages)} messages are in the request: ${JSON.stringify({ isPartial, extent: session.state.extent })}.`);
  }
}
