import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSignedCertificate } from '../support/faults/certificate.js';
import { DIALECTS, says } from '../support/faults/dialects.js';
import { outline, useHouses, type House } from '../support/faults/house.js';
import { answer, chunk, chunkedHead, EVENT_STREAM } from '../support/http/answers.js';
import { FaultServer } from '../support/http/faultServer.js';

/** Enough for a head on a busy computer, and short for a test. */
const AFTER_HEAD_SECONDS = 0.5;
/** The first request and four repeats. */
const MOST_REQUESTS = 5;

for (const dialect of DIALECTS) {
  describe(`a provider that cannot be reached (${dialect.protocol})`, () => {
    const houses = useHouses();

    /** Checks that the message is there once, unsent, with cause and Retry. The log has the technical reason. */
    async function checkUnreached(house: House, text: RegExp, reason: RegExp): Promise<void> {
      await house.skipWaits(house.send('Hello'));
      const note = house.note?.text ?? '';
      const times = `Failed ${String(MOST_REQUESTS)} times: `;
      assert.ok(note.startsWith(times), note);
      assert.match(note.slice(times.length), text);
      assert.deepEqual(outline(house.shown.entries), ['user (unsent): Hello', `note (failed): ${note}`]);
      assert.equal(house.note?.failures.length, MOST_REQUESTS);
      assert.deepEqual(house.note.actions, note.includes('base URL') ? ['editProvider', 'retry'] : ['retry']);
      assert.equal(house.logLines.length, MOST_REQUESTS);
      assert.match(house.logLines.at(-1) ?? '', reason);
      const { attempts, unknownAttempts, cost } = await house.test.api.getUsage(house.session.id);
      assert.deepEqual([attempts, unknownAttempts, cost], [MOST_REQUESTS, 0, null]);
      assert.ok([...house.session.state.attempts.values()].every(({ end }) => end?.usage === null));
      assert.ok([...house.session.state.attempts.values()].every(({ end }) => end?.exchange?.method === 'POST'));
    }

    /** Checks that the request was sent once, and that the panel shows cause, Retry and an unknown cost. */
    async function checkNotRepeated(house: House, text: RegExp, reason: RegExp): Promise<void> {
      await house.send('Hello');
      const [cause, why] = (house.note?.text ?? '').split(' The request may ');
      assert.match(cause ?? '', text);
      assert.equal(why, 'have been billed, so Loupe did not repeat it.');
      assert.deepEqual(outline(house.shown.entries), ['user (unsent): Hello', `note (failed): ${house.note?.text ?? ''}`]);
      assert.deepEqual(house.note?.actions, ['retry']);
      assert.equal(house.logLines.length, 1);
      assert.match(house.logLines[0] ?? '', reason);
      const { attempts, unknownAttempts, cost } = await house.test.api.getUsage(house.session.id);
      assert.deepEqual([attempts, unknownAttempts, cost], [1, 1, null]);
    }

    describe('3. the cause is clear', () => {
      it('a host that DNS does not know', async () => {
        const house = await houses.open(dialect, { origin: 'https://no-such-host.invalid' });
        // Without a network the lookup itself fails.
        const text = /^The host no-such-host\.invalid was not found\.|^The DNS lookup of no-such-host\.invalid failed/;
        await checkUnreached(house, text, /^network: .*(?:ENOTFOUND|EAI_AGAIN)/);
      });

      it('a port where nobody listens', async () => {
        const gone = await FaultServer.start();
        await gone.close().catch(() => undefined);
        const free = await FaultServer.start();
        const origin = free.url;
        await free.close();
        const house = await houses.open(dialect, { origin });
        await checkUnreached(
          house,
          /^No server answers at 127\.0\.0\.1:\d+\. Check that the server is running, and check the base URL\.$/,
          /ECONNREFUSED/,
        );
      });

      it('https:// to a server that speaks plain HTTP', async () => {
        const plain = await FaultServer.start();
        const house = await houses.open(dialect, { origin: plain.url.replace('http:', 'https:'), silenceSeconds: 0.05 });
        try {
          // The server waits for the rest of a request. Only the limit ends that.
          await checkNotRepeated(house, /did not answer within 0\.05 seconds\.$/, /^timeout: /);
        } finally {
          await plain.close();
        }
      });

      it('https:// to a port that answers in plain text', async () => {
        const { createServer: listen } = await import('node:net');
        const plain = listen((socket) => {
          socket.on('error', () => undefined);
          socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
        });
        plain.listen(0, '127.0.0.1');
        await once(plain, 'listening');
        const house = await houses.open(dialect, { origin: `https://127.0.0.1:${String((plain.address() as AddressInfo).port)}` });
        try {
          const text =
            /^Loupe could not open a secure connection to 127\.0\.0\.1:\d+ \(TLS\)\. Check whether the base URL needs http:\/\/ or https:\/\/\.$/;
          await checkUnreached(house, text, /ssl|tls|wrong version/i);
        } finally {
          plain.close();
        }
      });

      it('a certificate that nobody signed: nothing is sent', async () => {
        let requests = 0;
        const secure = createServer(selfSignedCertificate(), (_request, response) => {
          requests += 1;
          response.end();
        });
        secure.listen(0, '127.0.0.1');
        await once(secure, 'listening');
        const house = await houses.open(dialect, { origin: `https://127.0.0.1:${String((secure.address() as AddressInfo).port)}` });
        try {
          await checkUnreached(
            house,
            /^This computer does not trust the certificate of 127\.0\.0\.1:\d+, so Loupe sent nothing\./,
            /self-signed certificate/,
          );
          assert.equal(requests, 0);
        } finally {
          secure.close();
        }
      });

      it('a connection that is cut before an answer', async () => {
        houses.server.play({ do: 'cut' });
        const house = await houses.open(dialect, {});
        await checkNotRepeated(house, /^127\.0\.0\.1:\d+ closed the connection before it answered\.$/, /ECONNRESET|other side closed/);
        assert.equal(houses.server.requests.length, 1);
      });

      it('a proxy on the way that wants a log-in, which no repeat of the request gives it', async () => {
        houses.server.play(...answer(407, { 'content-type': 'text/html' }, '<title>Login needed: the-key</title>'));
        const house = await houses.open(dialect, {});
        await house.send('Hello');
        assert.match(house.note?.text ?? '', /^A proxy on the way to House AI requires a login \(HTTP 407\)\. /);
        assert.deepEqual(house.note?.actions, ['retry']);
        assert.equal(houses.server.requests.length, 1);
        assert.match(house.logLines.join('\n'), /^network: A proxy on the way .*\(.*fetch failed[^\n]*$/);
      });
    });

    describe('4. that goes silent', () => {
      it('before its first byte: the time-out says so, and the request is not repeated unasked', async () => {
        houses.server.play({ do: 'hang' });
        const house = await houses.open(dialect, { silenceSeconds: 0.05 });
        await checkNotRepeated(house, /^House AI did not answer within 0\.05 seconds\.$/, /^timeout: /);
        for (const { closed } of houses.server.requests) {
          assert.deepEqual(await closed, { byClient: true });
        }
      });

      it('after its headers: the same', async () => {
        houses.server.play(chunkedHead(200, EVENT_STREAM), { do: 'hang' });
        const house = await houses.open(dialect, { silenceSeconds: AFTER_HEAD_SECONDS });
        await checkNotRepeated(house, /^House AI sent nothing for 0\.5 seconds\. The reply is incomplete\.$/, /^timeout: /);
      });

      it('in mid-stream: what had come is kept and marked incomplete, not continued and not repeated', async () => {
        const events = dialect.events(says({ texts: ['The first ', 'half'], stop: null, usage: dialect.usage }));
        houses.server.play(chunkedHead(200, EVENT_STREAM), ...events.map(chunk), { do: 'hang' });
        const house = await houses.open(dialect, { silenceSeconds: AFTER_HEAD_SECONDS });
        await house.send('Hello');
        const note = 'House AI sent nothing for 0.5 seconds. The reply is incomplete.';
        assert.deepEqual(outline(house.shown.entries), [
          'user (unsent): Hello',
          'assistant (incomplete): The first half',
          `note (failed): ${note}`,
        ]);
        assert.deepEqual(house.note?.actions, ['continue', 'keepReply', 'retry']);
        const [exchange] = houses.server.requests;
        assert.deepEqual(await exchange?.closed, { byClient: true });
        assert.equal(houses.server.requests.length, 1);
        assert.deepEqual(house.logLines, [`timeout: ${note}`]);
      });

      for (const [what, events, entries] of [
        ['before the first byte', [], ['note']],
        ['in mid-stream', dialect.events(says({ texts: ['Some'], stop: null })), ['assistant (stopped): Some', 'note']],
      ] as const) {
        it(`Stop does not wait for the time-out: ${what}`, async () => {
          houses.server.play(chunkedHead(200, EVENT_STREAM), ...events.map(chunk), { do: 'hang' });
          const house = await houses.open(dialect, {});
          const sent = house.send('Hello');
          const exchange = await houses.server.next();
          await (events.length === 0 ? Promise.resolve() : house.showing('Some'));
          await house.stop();
          await sent;
          assert.deepEqual(await exchange.closed, { byClient: true });
          const stopped = `note (stopped): ${events.length === 0 ? 'The reply was stopped before any text arrived.' : 'Stopped'}`;
          const expected = entries.map((entry) => (entry === 'note' ? stopped : entry));
          assert.deepEqual(outline(house.shown.entries).slice(1), expected);
        });
      }
    });
  });
}
