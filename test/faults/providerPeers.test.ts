import { LLMock } from '@copilotkit/aimock';
import assert from 'node:assert/strict';
import { column } from '../support/columns.js';
import { DIALECTS } from '../support/faults/dialects.js';
import { KEY, outline, useHouses } from '../support/faults/house.js';
import { lastAttempt } from '../support/host/reading.js';
import { startCachingServer, type CachingServer } from '../support/cachingServer/cachingServer.js';

const MOST_REQUESTS = 5;

for (const dialect of DIALECTS) {
  describe(`servers that nobody here wrote (${dialect.protocol})`, () => {
    const houses = useHouses();
    let mock: LLMock;
    beforeEach(async () => {
      mock = new LLMock({ port: 0, chunkSize: 4, strict: true });
      mock.onMessage('Hello', { content: 'Hello there, 世界 🙂!' });
      await mock.start();
    });
    afterEach(() => mock.stop());

    for (const [what, chaos, requests, text, actions] of [
      ['rate limits', { rateLimitRate: 1 }, MOST_REQUESTS, /^Failed 5 times: .*: Rate limit reached\.$/, ['retry', 'selectModel']],
      ['failures with 500', { dropRate: 1 }, MOST_REQUESTS, /^Failed 5 times: .*: Server error \(HTTP 500\)\.$/, ['selectModel', 'retry']],
      [
        'disconnects',
        { disconnectRate: 1 },
        1,
        /^127\.0\.0\.1:\d+ closed the connection before it answered\. The request may have been billed/,
        ['retry'],
      ],
    ] as const) {
      it(`chaos of ${what}: ${String(requests)} requests, one message, and Retry has one turn when it is over`, async () => {
        mock.setChaos(chaos);
        const house = await houses.open(dialect, { origin: mock.url });
        await house.skipWaits(house.send('Hello'));
        assert.equal(mock.getRequests().length, requests);
        assert.match(house.note?.text ?? '', text);
        assert.deepEqual(house.note?.actions, actions);
        assert.equal(outline(house.shown.entries)[0], 'user (unsent): Hello');
        mock.clearChaos();
        await house.retry();
        assert.equal(mock.getRequests().length, requests + 1);
        const lines = outline(house.shown.entries).filter((line) => /^(?:user|assistant)/.test(line));
        assert.deepEqual(lines, ['user: Hello', 'assistant (done): Hello there, 世界 🙂!']);
        assert.equal(JSON.stringify(mock.getLastRequest()?.body).split('"Hello"').length - 1, 1);
      });
    }

    it('chaos that goes away while Loupe repeats the request: one turn', async () => {
      mock.setChaos({ dropRate: 1 });
      const house = await houses.open(dialect, { origin: mock.url });
      const sent = house.send('Hello');
      await house.retrying(1);
      house.clock.step();
      await house.retrying(2);
      mock.clearChaos();
      house.clock.step();
      await sent;
      assert.deepEqual(outline(house.shown.entries), ['user: Hello', 'assistant (done): Hello there, 世界 🙂!']);
      const failures = house.shown.entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.failures : []));
      assert.deepEqual(column(failures, 'text'), ['House AI: Server error (HTTP 500).', 'House AI: Server error (HTTP 500).']);
      assert.equal(house.logLines.length, 2);
    });

    it('chaos of malformed JSON: an error at once, and nothing invented', async () => {
      mock.setChaos({ malformedRate: 1 });
      const house = await houses.open(dialect, { origin: mock.url });
      await house.send('Hello');
      assert.equal(mock.getRequests().length, 1);
      assert.deepEqual(outline(house.shown.entries)[0], 'user (unsent): Hello');
      assert.equal(house.shown.entries.length, 2);
      assert.match(house.logLines.join(), /^protocol: House AI /);
    });

    it('a disconnect in mid-stream: what came is kept and marked incomplete', async () => {
      mock.onMessage('Cut', { content: 'one two three four five six' }, { truncateAfterChunks: 5, latency: 2 });
      const house = await houses.open(dialect, { origin: mock.url });
      await house.send('Cut');
      const [user, reply] = outline(house.shown.entries);
      assert.equal(user, 'user (unsent): Cut');
      const [, shown] = /^assistant \(incomplete\): (.+)$/.exec(reply ?? '') ?? [];
      assert.ok(shown !== undefined && 'one two three four five six'.startsWith(shown), reply);
      assert.equal(mock.getRequests().length, 1);
    });
  });

  describe(`the bill of a caching server that fails at times (${dialect.protocol})`, () => {
    const houses = useHouses();
    const failing = { left: 0, status: 503 };
    let server: CachingServer;
    beforeEach(async () => {
      server = await startCachingServer({
        key: KEY,
        models: [{ id: 'large', minimumTokens: 100 }],
        reply: () => {
          failing.left -= 1;
          return failing.left >= 0
            ? { status: failing.status, message: 'Not now, the-key', headers: { 'retry-after': '2' } }
            : { parts: [{ type: 'text', text: 'Answered.' }] };
        },
      });
    });
    afterEach(() => server.stop());

    it('is what the ledger says: every answer once, nothing for what failed', async () => {
      const house = await houses.open(dialect, { origin: server.url });
      for (const [failures, text] of [
        [0, 'First '.repeat(100)],
        [2, 'Second'],
        [1, 'Third'],
      ] as const) {
        failing.left = failures;
        await house.skipWaits(house.send(text));
      }
      const billed = server.requests.flatMap(({ usage }) => (usage === null ? [] : [usage]));
      assert.deepEqual([server.requests.length, billed.length], [6, 3]);
      const ledger = await house.test.api.getUsage(house.session.id);
      assert.equal(ledger.attempts, 6);
      const billedOutput = billed.reduce((sum, { output }) => sum + output, 0);
      assert.equal(ledger.completionTokens, billedOutput);
      const input = ledger.promptTokens + ledger.cacheReadInputTokens + ledger.cacheCreationInputTokens;
      const whole = billed.reduce((sum, use) => sum + use.read + use.fresh + use.written5m + use.written1h, 0);
      assert.equal(input, whole);
      assert.equal(outline(house.shown.entries).filter((line) => line === 'assistant (done): Answered.').length, 3);
    });

    it('a key that it does not know is asked for again, and appears nowhere', async () => {
      const house = await houses.open(dialect, { origin: server.url });
      await house.keys.keys.set(house.providers.configs()[0]!, 'wrong-key');
      await house.send('Hello');
      assert.deepEqual(house.note?.actions, ['setKeyAndRetry', 'retry']);
      assert.equal(lastAttempt(house.session.state).end?.error?.kind, 'auth');
      assert.doesNotMatch(JSON.stringify([house.shown, house.logLines]), /wrong-key/);
    });
  });
}
