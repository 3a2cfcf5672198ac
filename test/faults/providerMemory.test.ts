import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DIALECTS, says } from '../support/faults/dialects.js';
import { outline, useHouses } from '../support/faults/house.js';
import { until } from '../support/host/clocks.js';
import { chunk, chunkedHead, EVENT_STREAM, head } from '../support/http/answers.js';
import type { Step } from '../support/http/faultServer.js';

const MIB = 1024 * 1024;
/** The limit of a line, and the buffers at both ends of the connection. */
const MOST_TAKEN = 40 * MIB;
/** How much an endless stream has sent when its memory is measured. */
const STREAMED = 96 * MIB;
const MOST_HELD = 24 * MIB;
const LINE = 'x'.repeat(64 * 1024);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function memory(): number {
  collectGarbage();
  // Another thread frees the memory of buffers, maybe after the collection. The next one waits for it.
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

for (const dialect of DIALECTS) {
  describe(`a stream without measure (${dialect.protocol})`, () => {
    const houses = useHouses();
    const begun = dialect.events(says({ texts: ['Once'], stop: null })).map((event): Step => ({ do: 'send', bytes: event }));

    it('13. a line that never ends is cut off, and what came before it stays', async () => {
      houses.server.play(head(200, EVENT_STREAM), ...begun, { do: 'send', bytes: 'data: ' }, { do: 'flood', bytes: LINE });
      const house = await houses.open(dialect, {});
      const before = memory();
      await house.send('Hello');
      const [exchange] = houses.server.requests;
      assert.deepEqual(await exchange?.closed, { byClient: true });
      const sent = exchange?.sentBytes() ?? 0;
      assert.ok(sent < MOST_TAKEN, `${String(sent)} bytes were taken`);
      assert.ok(memory() - before < MOST_HELD);
      const note = 'House AI sent more than 16 MiB at a time. Loupe stopped reading.';
      assert.deepEqual(outline(house.shown.entries), ['user (unsent): Hello', 'assistant (incomplete): Once', `note (failed): ${note}`]);
      assert.deepEqual(house.logLines, [`protocol: ${note}`]);
    });

    it('13. a line of 17 MiB is too long as well, and nothing of it is shown or stored', async () => {
      const [long] = dialect.events(says({ texts: ['y'.repeat(17 * MIB)], stop: null })).slice(-1);
      houses.server.play(
        chunkedHead(200, EVENT_STREAM),
        ...begun.map((step) => chunk(step.do === 'send' ? step.bytes : '')),
        chunk(long ?? ''),
      );
      const house = await houses.open(dialect, {});
      await house.send('Hello');
      assert.equal(houses.server.requests.length, 1);
      assert.deepEqual(outline(house.shown.entries).slice(0, 2), ['user (unsent): Hello', 'assistant (incomplete): Once']);
      assert.match(house.note?.text ?? '', /more than 16 MiB/);
    });

    it('13. the answer to a failed request may be endless too: its beginning is enough', async () => {
      houses.server.play(head(400, { 'content-type': 'text/html' }), { do: 'flood', bytes: LINE });
      const house = await houses.open(dialect, {});
      const before = JSON.stringify(house.shown).length;
      await house.send('Hello');
      const [exchange] = houses.server.requests;
      assert.deepEqual(await exchange?.closed, { byClient: true });
      assert.ok((exchange?.sentBytes() ?? 0) < MOST_TAKEN);
      assert.match(house.note?.text ?? '', /^House AI rejected the request \(HTTP 400\)/);
      const shown = JSON.stringify(house.shown).length - before;
      assert.ok(shown < 10_000, `the panel has ${String(shown)} characters more`);
    });

    it('13. Stop works in the middle of a long line', async () => {
      houses.server.play(head(200, EVENT_STREAM), ...begun, { do: 'send', bytes: `data: ${LINE.repeat(48)}` }, { do: 'hang' });
      const house = await houses.open(dialect, {});
      const sent = house.send('Hello');
      const exchange = await houses.server.next();
      await house.showing('Once');
      await house.stop();
      await sent;
      assert.deepEqual(await exchange.closed, { byClient: true });
      assert.deepEqual(outline(house.shown.entries).slice(1), ['assistant (stopped): Once', 'note (stopped): Stopped']);
    });

    it('13. a stream that goes on for ever without saying anything holds no memory, and Stop ends it', async () => {
      houses.server.play(head(200, EVENT_STREAM), ...begun, { do: 'flood', bytes: `: ${LINE}\n\n` });
      const house = await houses.open(dialect, {});
      const sent = house.send('Hello');
      const exchange = await houses.server.next();
      await house.showing('Once');
      const before = memory();
      // Step by step: it can take long as long as it continues.
      for (let bytes = MIB; bytes <= STREAMED; bytes += MIB) {
        await until(() => exchange.sentBytes() > bytes, `${String(bytes)} bytes were sent`);
      }
      assert.ok(memory() - before < MOST_HELD);
      await house.stop();
      await sent;
      assert.deepEqual(await exchange.closed, { byClient: true });
      assert.equal(outline(house.shown.entries)[1], 'assistant (stopped): Once');
    });
  });
}
