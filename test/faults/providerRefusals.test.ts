import assert from 'node:assert/strict';
import { DIALECTS } from '../support/faults/dialects.js';
import { outline, useHouses } from '../support/faults/house.js';
import { answer, json, EVENT_STREAM, events } from '../support/http/answers.js';
import type { Step } from '../support/http/faultServer.js';

const HTML = { 'content-type': 'text/html' };
const PAGE = '<html><head><title>Bad day</title></head><body>Authorization: Bearer the-key</body></html>';
/** The clocks of server and computer differ: only the difference between two dates of the server counts. */
const SERVER_TIME = Date.UTC(2031, 0, 5, 12);
const MOST_REQUESTS = 5;

for (const dialect of DIALECTS) {
  describe(`a provider that refuses (${dialect.protocol})`, () => {
    const houses = useHouses();

    const rateLimited = (headers: Record<string, string>): ReturnType<typeof answer> =>
      answer(
        429,
        { 'content-type': 'application/json', ...headers },
        JSON.stringify(dialect.errorBody('rate_limit_error', 'Slow down, the-key!')),
      );

    describe('1. with a rate limit or a failure of its own', () => {
      for (const [what, headers, wait] of [
        ['seconds', { 'retry-after': '7' }, 7_000],
        ['a date', { date: new Date(SERVER_TIME).toUTCString(), 'retry-after': new Date(SERVER_TIME + 90_000).toUTCString() }, 90_000],
      ] as const) {
        it(`waits as long as Retry-After says in ${what}, shows the countdown, and then has one turn`, async () => {
          houses.server.play(...rateLimited(headers));
          houses.playText(dialect, 'Here ', 'you are.');
          const house = await houses.open(dialect, {});
          const start = house.clock.now();
          const sent = house.send('Hello');
          const countdown = await house.retrying(1);
          const text = 'House AI: Rate limit reached.';
          assert.deepEqual(countdown, {
            kind: 'retry',
            id: countdown.id,
            attemptId: countdown.attemptId,
            text,
            failures: countdown.failures,
            at: start + wait,
            number: 1,
            most: 4,
          });
          assert.deepEqual(outline(house.shown.entries), ['user: Hello', 'retry 1 of 4']);
          assert.equal(houses.server.requests.length, 1);
          house.clock.step();
          assert.equal(house.clock.now(), start + wait);
          await sent;
          assert.deepEqual(outline(house.shown.entries), ['user: Hello', 'assistant (done): Here you are.']);
          assert.deepEqual([houses.count(0, 'Hello'), houses.count(1, 'Hello')], [1, 1]);
          assert.match(house.logLines.join('\n'), /rateLimit: House AI: Rate limit reached.*HTTP 429.*Slow down/);
        });
      }

      it('has no usage of a refused attempt, not even 0, and counts the answered one', async () => {
        houses.server.play(...rateLimited({}));
        houses.playText(dialect, 'Yes.');
        const house = await houses.open(dialect, {});
        await house.skipWaits(house.send('Hello'));
        const usage = await house.test.api.getUsage(house.session.id);
        assert.deepEqual([usage.attempts, usage.promptTokens, usage.completionTokens], [2, 40, 5]);
        // Refused requests are not billed.
        assert.equal(usage.unknownAttempts, 0);
        const unknown = [...house.session.state.attempts.values()].map(({ end }) => end?.usage === null);
        assert.deepEqual(unknown, [true, false]);
      });

      for (const [what, script] of [
        ['429 without Retry-After', rateLimited({})],
        ['500 with a page', answer(500, HTML, PAGE)],
        ['503 with a page', answer(503, HTML, PAGE)],
      ] as const) {
        it(`gives up after four repeats with growing waits, and keeps the message once, with Retry: ${what}`, async () => {
          const house = await houses.open(dialect, {});
          for (let request = 0; request < MOST_REQUESTS; request += 1) {
            houses.server.play(...script);
          }
          const sent = house.send('Hello');
          const waits: number[] = [];
          for (let repeat = 1; repeat < MOST_REQUESTS; repeat += 1) {
            const { at, most } = await house.retrying(repeat);
            assert.equal(most, 4);
            waits.push(at - house.clock.now());
            house.clock.step();
          }
          await sent;
          waits.forEach((wait, index) => {
            const longest = 1_000 * 2 ** index;
            assert.ok(wait >= longest / 2 && wait <= longest, `wait ${String(index)}: ${String(wait)}`);
          });
          assert.equal(houses.server.requests.length, MOST_REQUESTS);
          const { note } = house;
          const text = note?.text ?? '';
          assert.ok(text.startsWith(`Failed ${String(MOST_REQUESTS)} times: `), text);
          assert.deepEqual(outline(house.shown.entries), ['user (unsent): Hello', `note (failed): ${text}`]);
          assert.equal(note?.failures.length, MOST_REQUESTS);
          assert.ok(note.actions.includes('selectModel') && note.actions.includes('retry'));
          assert.doesNotMatch(note.text, /[<>]/);
          assert.equal(house.logLines.length, MOST_REQUESTS);

          houses.playText(dialect, 'Now.');
          await house.retry();
          const said = outline(house.shown.entries).filter((line) => /^(?:user|assistant)/.test(line));
          assert.deepEqual(said, ['user: Hello', 'assistant (done): Now.']);
          assert.equal(houses.count(MOST_REQUESTS, 'Hello'), 1);
        });
      }

      it('does not wait when the server asks for longer than anyone would sit there, and says for how long', async () => {
        houses.server.play(...rateLimited({ 'retry-after': '5400' }));
        const house = await houses.open(dialect, {});
        await house.send('Hello');
        assert.equal(houses.server.requests.length, 1);
        assert.match(house.note?.text ?? '', /: Rate limit reached\. The server asks to wait 90 minutes before the next request\.$/);
        assert.deepEqual(house.note?.actions, ['retry', 'selectModel']);
      });

      it('stops at once while it waits', async () => {
        houses.server.play(...rateLimited({ 'retry-after': '60' }));
        const house = await houses.open(dialect, {});
        const sent = house.send('Hello');
        await house.retrying(1);
        await house.stop();
        await sent;
        assert.equal(houses.server.requests.length, 1);
        assert.equal(house.clock.sleepers, 0);
        assert.deepEqual(outline(house.shown.entries).slice(1), ['failed: House AI: Rate limit reached.', 'note (stopped): Stopped']);
      });

      it('stops at once while the repeat is on its way', async () => {
        houses.server.play(...rateLimited({}));
        houses.server.play({ do: 'hang' });
        const house = await houses.open(dialect, {});
        const sent = house.send('Hello');
        await house.retrying(1);
        house.clock.step();
        await houses.server.next();
        const repeat = await houses.server.next();
        await house.stop();
        await sent;
        assert.deepEqual(await repeat.closed, { byClient: true });
        assert.equal(house.note?.status, 'stopped');
      });
    });

    describe('2. because of the key', () => {
      for (const [status, type, message] of [
        [401, 'authentication_error', 'Incorrect API key provided: the-key. Also as th***ey and the-***.'],
        [403, 'permission_error', 'The key the-key may not use this model (Bearer the-key).'],
      ] as const) {
        it(`${String(status)}: asks for the key, and is not sent again by itself`, async () => {
          houses.server.play(...json(status, dialect.errorBody(type, message)));
          const house = await houses.open(dialect, {});
          await house.send('Hello');
          assert.equal(houses.server.requests.length, 1);
          assert.equal(house.session.state.runs.values().next().value?.error?.kind, 'auth');
          assert.deepEqual(house.note?.actions, ['setKeyAndRetry', 'retry']);
          assert.match(house.note.text, status === 401 ? /rejected the key\./ : /does not allow this request with this key/);
          assert.match(house.logLines.join('\n'), new RegExp(`auth: House AI .*HTTP ${String(status)}`));

          await house.keys.keys.set(house.providers.configs()[0]!, 'another-one');
          houses.playText(dialect, 'Welcome.');
          await house.retry();
          const [name, before] = dialect.keyHeader;
          assert.equal(houses.server.requests[1]?.request.headers.get(name), `${before}another-one`);
          assert.equal(house.note, undefined);
        });
      }

      it('shows what went over HTTP and the words of the server, both without the key', async () => {
        houses.server.play(...json(401, dialect.errorBody('authentication_error', 'Incorrect API key provided: the-key.')));
        const house = await houses.open(dialect, {});
        await house.send('Hello');
        assert.match(house.note?.detail ?? '', /: Incorrect API key provided: \[key\]\.$/);
        const [attempt] = house.session.state.attempts.values();
        assert.ok(attempt?.end?.exchange);
        const { method, requestHeaders, response } = attempt.end.exchange;
        const [name, before] = dialect.keyHeader;
        assert.deepEqual([method, response?.status, new Map(requestHeaders).get(name)], ['POST', 401, `${before}[key]`]);
      });

      it('says so when there is none', async () => {
        houses.server.play(...json(401, dialect.errorBody('authentication_error', 'Missing key')));
        const house = await houses.open(dialect, { key: null });
        await house.send('Hello');
        assert.equal(house.note?.text, 'House AI needs an API key, but Loupe has no stored key for it.');
        assert.deepEqual(house.note.actions, ['setKeyAndRetry', 'retry']);
        assert.equal(houses.server.requests[0]?.request.headers.has(dialect.keyHeader[0]), false);
      });
    });
  });
}

const BILLED = ' The request may have been billed, so Loupe did not repeat it.';

/** Answers with status 200 that are no replies, the note about them, and the server's words in its details. */
const CLOTHES: readonly (readonly [what: string, script: Step[], note: string, detail: RegExp | null])[] = [
  [
    'an error as JSON',
    json(200, { error: { message: 'The queue is full, the-key.', code: 503 } }),
    `House AI is overloaded or unavailable right now (HTTP 503).${BILLED}`,
    /The queue is full, \[key\]\./,
  ],
  [
    'an error as a list',
    json(200, [{ error: { code: 400, message: 'No such thing, THE-KEY.', status: 'INVALID_ARGUMENT' } }]),
    'House AI rejected the request (HTTP 400). See Details.',
    /No such thing, \[key\]\./,
  ],
  [
    'an error with a code of its own',
    json(200, { base_resp: { status_code: 2013, status_msg: 'invalid params' } }),
    'House AI reported an error in its answer. See Details.',
    /2013: invalid params/,
  ],
  [
    'an error as an event of text',
    events('event: error\ndata: upstream went away\n\n'),
    'House AI reported an error in its answer. See Details.',
    /upstream went away/,
  ],
  [
    'text',
    answer(200, EVENT_STREAM, 'Busy, the-key.'),
    'House AI sent something that Loupe cannot read as a reply. See Details.',
    /Busy, \[key\]\./,
  ],
  [
    'a page',
    answer(200, HTML, '<html><title>Log in to the office</title></html>'),
    'House AI sent a web page instead of an answer. Check the base URL. See Details.',
    /a page with the title "Log in to the office"/,
  ],
  ['nothing', answer(200, EVENT_STREAM, ''), `House AI sent an empty reply.${BILLED}`, null],
  ['only comments and an end', events(': wait\n\n', 'data: [DONE]\n\n'), `House AI sent an empty reply.${BILLED}`, null],
];

for (const dialect of DIALECTS) {
  describe(`errors in other clothes (${dialect.protocol})`, () => {
    const houses = useHouses();

    for (const [what, script, note, detail] of CLOTHES) {
      it(`46. ${what} with status 200: is told in the words of the server, and not repeated unasked`, async () => {
        houses.server.play(...script);
        const house = await houses.open(dialect, {});
        await house.send('Hello');
        assert.deepEqual(outline(house.shown.entries), ['user (unsent): Hello', `note (failed): ${note}`]);
        const { note: shown } = house;
        assert.equal(shown?.actions.includes('retry'), true);
        assert.equal(houses.server.requests.length, 1);
        if (detail !== null) {
          assert.match(shown.detail ?? '', detail);
        }
        assert.equal((await house.test.api.getUsage(house.session.id)).unknownAttempts, 1);
      });
    }
  });
}
