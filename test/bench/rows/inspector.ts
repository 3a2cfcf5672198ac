import { join } from 'node:path';
import { PayloadLines } from '../../../src/host/inspector/payloadLines.js';
import { CONFIG } from '../../support/engine/events.js';
import { openInspector } from '../../support/host/openInspector.js';
import type { Window } from '../../support/host/window.js';
import { writeLongLog } from '../../support/storage/longLog.js';
import { medianOf, race } from '../race.js';
import type { Row } from '../row.js';
import { inWindows } from '../windows.js';

/** Each adds a question and an answer. The last request has more than 500 blocks. */
const EXCHANGES = 252;
const BLOCKS = 500;
const REQUESTS = 2_000;
const LONG_CHAT = 'sess_1700000000000_aaaaaa';
const PAYLOAD_BYTES = 20_000_000;
const ROUNDS = 9;
const REQUEST = 'a request of 500 blocks';
const CHART = 'the chart of 2,000 requests';
const PAYLOAD = 'the lines of a payload of 20 MB';

/** Opens the Request Inspector on an open chat: the host's work until the view has its first state. */
export const inspector: Row = {
  name: 'inspector',
  job: `open the Request Inspector on ${String(BLOCKS)} blocks, and on ${String(REQUESTS)} requests`,
  measure: () =>
    inWindows(async (windows) => {
      const { window, session } = await windows.openChat({});
      for (let at = 0; at < EXCHANGES; at += 1) {
        await session.conversation.send('/long 1');
      }
      const last = [...session.state.attempts.keys()].at(-1) ?? '';
      await writeLongLog(join(windows.folder, 'chats', LONG_CHAT), {
        ...{ chatId: LONG_CHAT, writer: 'earlier', exchanges: REQUESTS, config: CONFIG },
        said: () => 'Some words of a message.',
      });
      const long = await (await window.chats.open(LONG_CHAT)).whole();
      const newest = [...long.attempts.keys()].at(-1) ?? '';
      const body = JSON.stringify({ messages: [{ role: 'user', content: 'A "line" of a message.\n'.repeat(PAYLOAD_BYTES / 24) }] });
      const samples = await race(
        [
          { name: REQUEST, run: () => open(window, session.id, last, ({ blocks }) => blocks >= BLOCKS) },
          { name: CHART, run: () => open(window, LONG_CHAT, newest, ({ requests }) => requests === REQUESTS) },
          {
            name: PAYLOAD,
            run: () => {
              new PayloadLines(body).read(0, 10, 100);
            },
          },
        ],
        { rounds: ROUNDS },
      );
      return {
        samples,
        amount: { value: BLOCKS, unit: 'blocks' },
        verdicts: [
          { what: `ms for ${REQUEST}`, measured: medianOf(samples, REQUEST), target: { atMost: 200 } },
          { what: `ms for ${CHART}`, measured: medianOf(samples, CHART), target: { atMost: 300 } },
          { what: `ms for ${PAYLOAD}`, measured: medianOf(samples, PAYLOAD), target: { atMost: 300 } },
        ],
      };
    }),
};

interface Shown {
  readonly blocks: number;
  readonly requests: number;
}

async function open(window: Window, chatId: string, id: string, isWhole: (shown: Shown) => boolean): Promise<void> {
  const { view, state, request } = await openInspector(window, chatId, { id, ports: {} });
  view.dispose();
  const shown = { blocks: request().blocks.length, requests: state().chart?.requests.length ?? 0 };
  if (!isWhole(shown)) {
    throw new Error(`${JSON.stringify(shown)} was shown.`);
  }
}
