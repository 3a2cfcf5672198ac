import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { UNRECORDED } from '../../src/engine/model/httpExchange.js';
import type { ModelClient, StreamPart } from '../../src/engine/model/model.js';
import { AnthropicClient } from '../../src/providers/anthropic/anthropicClient.js';
import { OpenAiCompatibleClient } from '../../src/providers/openaiCompatible/openAiCompatibleClient.js';
import { depth } from '../support/depth.mjs';
import { longestWork } from '../support/longestWork.js';
import { DIALECTS, says } from '../support/faults/dialects.js';
import { outline, useHouses } from '../support/faults/house.js';
import { until } from '../support/host/clocks.js';
import { EVENT_STREAM, head } from '../support/http/answers.js';
import { endpointAt } from '../support/http/endpoints.js';
import { LoadServer } from '../support/http/loadServer.js';
import { MODEL } from '../unit/openaiCompatible/support.js';

const DELTAS = depth({ short: 100_000, deep: 1_000_000 });
const DELTAS_AT_ONCE = depth({ short: 8_000, deep: 25_000 });
/** Sequential requests. The first tenth fills permanent memory. */
const REQUESTS = depth({ short: 300, deep: 1_000 });

const MIB = 1024 * 1024;
/** Processor time. A chunk without a pause took 340 ms. Row `replies` of the bench has the limit of 50 ms. */
const LONGEST_STALL_MS = 200;
/** Node itself keeps less after 900 requests. One leaked reply is 64 KB. */
const MOST_GROWTH = 4 * MIB;
/** The text, its parts, the counter's copy, log and panel, twice: garbage is collected later. */
const MOST_HELD_MIB = 384;
/** Two seconds alone, and more with other suites. */
const LOAD_MS = 120_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

for (const dialect of DIALECTS) {
  function split(text: string): readonly [start: string, piece: string, end: string] {
    const events = dialect.events(says({ texts: [text], usage: dialect.usage }));
    const at = events.findIndex((event) => event.includes(JSON.stringify(text)));
    return [events.slice(0, at).join(''), events[at] ?? '', events.slice(at + 1).join('')];
  }

  describe(`load (${dialect.protocol})`, () => {
    let server: LoadServer;
    afterEach(() => server.close());

    async function clientFor(text: string, times: number): Promise<ModelClient> {
      const [start, piece, end] = split(text);
      server = await LoadServer.start({ start, piece, times, end });
      const endpoint = endpointAt(`${server.url}${dialect.basePath}`);
      return dialect.protocol === 'anthropic' ? new AnthropicClient(endpoint) : new OpenAiCompatibleClient(endpoint);
    }

    async function receive(client: ModelClient): Promise<{ readonly texts: number; readonly last: StreamPart['type'] | null }> {
      let texts = 0;
      let last: StreamPart['type'] | null = null;
      for await (const { type } of client.stream(MODEL, { body: '{}', converterVersion: '' }, new AbortController().signal, UNRECORDED)) {
        texts += type === 'text' ? 1 : 0;
        last = type;
      }
      return { texts, last };
    }

    it(`47. of ${String(DELTAS)} deltas leaves others their turn`, async () => {
      const client = await clientFor('a ', DELTAS);
      const longest = await longestWork(async () => {
        assert.deepEqual(await receive(client), { texts: DELTAS, last: 'end' });
      });
      assert.ok(longest <= LONGEST_STALL_MS, `${String(longest)} ms`);
    }).timeout(LOAD_MS);

    it('47. of 20 replies at once leaves others their turn, too', async () => {
      const client = await clientFor('a ', DELTAS_AT_ONCE);
      // The first request of a process loads parts of Node.
      await receive(client);
      const longest = await longestWork(async () => {
        const replies: ReturnType<typeof receive>[] = [];
        for (let chat = 0; chat < 20; chat += 1) {
          replies.push(receive(client));
          await setImmediate();
        }
        const all = await Promise.all(replies);
        assert.ok(all.every(({ texts, last }) => texts === DELTAS_AT_ONCE && last === 'end'));
      });
      assert.ok(longest <= LONGEST_STALL_MS, `${String(longest)} ms`);
    }).timeout(LOAD_MS);

    it(`47. of ${String(REQUESTS)} requests holds no more memory than a tenth of them`, async () => {
      const client = await clientFor('x'.repeat(1_000), 64);
      let before = 0;
      for (let sent = 1; sent <= REQUESTS; sent += 1) {
        await receive(client);
        before = sent === REQUESTS / 10 ? heap() : before;
      }
      // Memory of the last connections is freed with their last events.
      await until(() => heap() - before < MOST_GROWTH, 'the memory is as before');
    }).timeout(LOAD_MS);
  });

  describe(`a reply of 200 MB (${dialect.protocol})`, () => {
    const houses = useHouses();

    it('47. is stopped, says so, and keeps what had come', async () => {
      const [start, piece] = split('All work and no play. '.repeat(50));
      houses.server.play(head(200, EVENT_STREAM), { do: 'send', bytes: start }, { do: 'flood', bytes: piece.repeat(100) });
      const house = await houses.open(dialect, {});
      const before = process.resourceUsage().maxRSS;
      await house.send('Hello');
      const growth = (process.resourceUsage().maxRSS - before) / 1024;
      assert.ok(growth < MOST_HELD_MIB, `${String(growth)} MiB more at its height`);
      const [exchange] = houses.server.requests;
      assert.deepEqual(await exchange?.closed, { byClient: true });
      assert.ok((exchange?.sentBytes() ?? 0) < 16 * MIB, `${String(exchange?.sentBytes())} bytes were taken`);
      const [, reply, note] = outline(house.shown.entries);
      assert.match(reply ?? '', /^assistant \(incomplete\): All work and no play\. /);
      assert.equal(note, 'note (failed): Loupe stopped the reply, because the reply has more than 4 million characters or 65,536 parts.');
    }).timeout(LOAD_MS);
  });
}
