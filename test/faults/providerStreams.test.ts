import assert from 'node:assert/strict';
import { DIALECTS, says } from '../support/faults/dialects.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { depth } from '../support/depth.mjs';
import { conversation, lastAttempt, partialText } from '../support/host/reading.js';
import { outline, useHouses, type House } from '../support/faults/house.js';
import { chunk, chunkedHead, EVENT_STREAM, events, head } from '../support/http/answers.js';
import type { Step } from '../support/http/faultServer.js';

/** Characters of two, three and four bytes, and one of several code points. */
const TEXTS = ['é界', '🙂👩‍👧 x'];
const TEXT = TEXTS.join('');
/** Bytes between two cuts. All edges of characters and lines are cut too. */
const STEP = depth({ short: 7, deep: 1 });

const AT_A_TIME = 50;

function isText(event: string): boolean {
  return TEXTS.some((text) => event.includes(JSON.stringify(text)));
}

interface Outcome {
  readonly broken: string;
  readonly outcome: string;
  readonly session: ChatSession;
}

for (const dialect of DIALECTS) {
  describe(`a stream that breaks (${dialect.protocol})`, () => {
    const houses = useHouses();
    const said = dialect.events(says({ texts: TEXTS, usage: dialect.usage }));
    const bytes = Buffer.from(said.join(''));
    /** From the first event with text to the last. Tests of the clients cut the rest. */
    const first = bytes.indexOf(said.find(isText) ?? '');
    const last = bytes.indexOf(said.findLast(isText) ?? '') + Buffer.byteLength(said.findLast(isText) ?? '');
    /** After a byte of a long character, or after a line. */
    const isEdge = (at: number): boolean => (bytes[at - 1] ?? 0) >= 0x80 || bytes[at - 1] === 0x0a;
    const places = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
      (at, index) => index % STEP === 0 || isEdge(at),
    );

    /** The text of the complete events in the first `length` bytes. */
    function textWithin(length: number): string {
      let end = 0;
      let texts = 0;
      for (const event of said) {
        end += Buffer.byteLength(event);
        texts += isText(event) && end <= length ? 1 : 0;
      }
      return TEXTS.slice(0, texts).join('');
    }

    /** A window with a hidden panel, because drawing hundreds of chats would take long. */
    async function openUnseen(): Promise<House> {
      const house = await houses.open(dialect, {});
      house.test.panel.channel.hidden();
      return house;
    }

    /** Sends each script's request in a chat of its own, some in parallel. Returns the outcomes by script. */
    async function sendAll(house: House, scripts: readonly (readonly Step[])[]): Promise<Outcome[]> {
      const outcomes: Outcome[] = [];
      for (let from = 0; from < scripts.length; from += AT_A_TIME) {
        const before = houses.server.requests.length;
        const batch = scripts.slice(from, from + AT_A_TIME);
        batch.forEach((script) => {
          houses.server.play(...script);
        });
        const sessions = await Promise.all(batch.map(() => house.window.chats.create()));
        const running = sessions.map((session, index) => session.conversation.send(`Chat ${String(index)}.`));
        await Promise.all(running);
        assert.equal(houses.server.requests.length, before + batch.length);
        // Scripts are assigned by arrival. Each request names its chat.
        for (const { request } of houses.server.requests.slice(before)) {
          const [, chat] = /Chat (\d+)\./.exec(request.body.toString()) ?? [];
          const session = sessions[Number(chat)];
          assert.ok(session);
          const outcome = lastAttempt(session.state).end?.outcome ?? '';
          outcomes.push({ broken: partialText(session), outcome, session });
        }
      }
      return outcomes;
    }

    for (const [what, ending] of [
      ['reset', [{ do: 'cut' }]],
      // A chunked answer without its last chunk.
      ['closed', []],
    ] as const) {
      it(`5. ${what} at any byte: shows a prefix of the real text with all that was whole, and invents no character`, async () => {
        const house = await openUnseen();
        let empty = 0;
        let partial = 0;
        const scripts = places.map((at) => [chunkedHead(200, EVENT_STREAM), chunk(bytes.subarray(0, at)), ...ending]);
        for (const [index, { broken, outcome, session }] of (await sendAll(house, scripts)).entries()) {
          const at = places[index] ?? 0;
          assert.ok(TEXT.startsWith(broken) && !broken.includes('\u{FFFD}'), `${String(at)}: ${broken}`);
          assert.ok(broken.startsWith(textWithin(at)), `${String(at)}: ${broken}`);
          // A complete reply counts, even if the connection breaks after it.
          assert.ok(outcome === 'failed' || broken === TEXT, `${String(at)}: ${outcome}`);
          assert.deepEqual(conversation(session.state).slice(1), outcome === 'complete' ? [`assistant: ${TEXT}`] : []);
          empty += outcome === 'failed' && broken === '' ? 1 : 0;
          partial += outcome === 'failed' && broken !== '' ? 1 : 0;
        }
        assert.ok(empty > 20 && partial > 20, `${String(empty)} empty, ${String(partial)} partial`);
      });
    }

    it('5. cut in a character: the panel shows the whole ones, says that the reply is incomplete, and Retry has one turn', async () => {
      const at = bytes.indexOf('🙂') + 2;
      houses.server.play(chunkedHead(200, EVENT_STREAM), chunk(bytes.subarray(0, at)), { do: 'cut' });
      const house = await houses.open(dialect, {});
      await house.send('Hello');
      const note = 'The reply broke off: the connection to House AI closed too early.';
      assert.deepEqual(outline(house.shown.entries), ['user (unsent): Hello', 'assistant (incomplete): é界', `note (failed): ${note}`]);
      assert.match(house.logLines.join(), /^incomplete: The reply broke off: the connection to House AI closed too early\. \(.+\)$/);
      houses.playText(dialect, ...TEXTS);
      await house.retry();
      assert.equal(houses.count(1, 'Hello'), 1);
      assert.doesNotMatch(houses.server.requests[1]?.request.body.toString() ?? '', /é/);
      const said = outline(house.shown.entries).filter((line) => /^(?:user|assistant)/.test(line));
      assert.deepEqual(said, ['user: Hello', `assistant (done): ${TEXT}`]);
    });

    for (const [what, start] of [
      ['in chunks', chunkedHead(200, EVENT_STREAM)],
      ['until the connection ends', head(200, EVENT_STREAM)],
    ] as const) {
      it(`6. a clean end without a finish marker is incomplete, not done: ${what}`, async () => {
        const open = dialect.events(says({ texts: ['All ', 'there?'], stop: null, usage: dialect.usage })).join('');
        houses.server.play(start, ...(what === 'in chunks' ? events(open).slice(1) : [{ do: 'send', bytes: open } as const]));
        const house = await houses.open(dialect, {});
        await house.send('Hello');
        const note = 'The reply broke off: the connection closed too early.';
        assert.deepEqual(outline(house.shown.entries), [
          'user (unsent): Hello',
          'assistant (incomplete): All there?',
          `note (failed): ${note}`,
        ]);
        assert.deepEqual(house.note?.actions, ['continue', 'keepReply', 'retry']);
        assert.deepEqual(house.logLines, [`incomplete: ${note}`]);
      });
    }

    describe('7. malformed', () => {
      const done = async (house: House): Promise<void> => {
        await house.send('Hello');
        assert.deepEqual(outline(house.shown.entries), ['user: Hello', `assistant (done): ${TEXT}`]);
      };

      it('split at every byte it is the same reply', async () => {
        const house = await openUnseen();
        const scripts = places.map((at) => events(bytes.subarray(0, at), bytes.subarray(at)));
        for (const [index, { broken, outcome }] of (await sendAll(house, scripts)).entries()) {
          assert.deepEqual([broken, outcome], [TEXT, 'complete'], String(places[index]));
        }
      });

      it('in chunks of one byte', async () => {
        houses.server.play(...events(...[...bytes].map((byte) => Uint8Array.of(byte))));
        await done(await houses.open(dialect, {}));
      });

      for (const [what, change] of [
        ['without its last empty line', (text: string) => text.trimEnd()],
        ['with lines that end with CR LF', (text: string) => text.replaceAll('\n', '\r\n')],
        ['with a byte order mark', (text: string) => `\u{FEFF}${text}`],
        [
          'with comments, fields and lines that no standard knows',
          (text: string) => text.replaceAll('\n\n', '\n: ping\nfoo: bar\nid\nretry: soon\n\n\n: pong\n\n'),
        ],
        ['without spaces behind the colons', (text: string) => text.replaceAll(/^(data|event): /gm, '$1:')],
      ] as const) {
        it(what, async () => {
          houses.server.play(...events(change(said.join(''))));
          await done(await houses.open(dialect, {}));
        });
      }

      for (const [what, garbage] of [
        ['no JSON', 'data: the-key <html>\n\n'],
        ['JSON that breaks off', 'data: {"type":"content_block_delta","key":"the-key\n\n'],
      ] as const) {
        it(`an event that is ${what}: what came before is kept, and the reply is not taken for whole`, async () => {
          const [before, after] = [said.slice(0, -4), said.slice(-4)];
          const event = dialect.protocol === 'anthropic' ? `event: content_block_delta\n${garbage}` : garbage;
          houses.server.play(...events(...before, event, ...after));
          const house = await houses.open(dialect, {});
          await house.send('Hello');
          const [user, reply, note] = outline(house.shown.entries);
          assert.deepEqual([user, reply?.startsWith('assistant (incomplete): é界')], ['user (unsent): Hello', true]);
          assert.match(note ?? '', /^note \(failed\): House AI sent an answer that /);
          assert.match(house.logLines.join(), /^protocol: House AI sent an answer that /);
        });
      }
    });

    describe('8. an error event inside HTTP 200', () => {
      it('before any text is like an answer with that status, but not repeated unasked: the server took the request on', async () => {
        const house = await houses.open(dialect, {});
        const start = dialect.events(says({ stop: null }));
        houses.server.play(...events(...start, dialect.errorEvent('overloaded_error', 'Overloaded, the-key')));
        await house.send('Hello');
        assert.equal(houses.server.requests.length, 1);
        const note =
          'House AI is overloaded or unavailable right now (HTTP 529). The request may have been billed, so Loupe did not repeat it.';
        assert.deepEqual(outline(house.shown.entries), ['user (unsent): Hello', `note (failed): ${note}`]);
        assert.deepEqual(house.note?.actions, ['selectModel', 'retry']);
        assert.equal((await house.test.api.getUsage(house.session.id)).unknownAttempts, 1);
        assert.match(house.logLines.at(-1) ?? '', /overloaded_error: Overloaded, \[key\]/);
      });

      for (const [type, text, actions] of [
        [
          'overloaded_error',
          'House AI is overloaded or unavailable right now (HTTP 529).',
          ['continue', 'keepReply', 'selectModel', 'retry'],
        ],
        ['authentication_error', 'House AI rejected the key.', ['setKeyAndRetry', 'continue', 'keepReply', 'retry']],
        ['strange_error', 'House AI reported an error in its answer. See Details.', ['continue', 'keepReply', 'retry']],
      ] as const) {
        it(`after text is an error, and the text stays: ${type}`, async () => {
          const open = dialect.events(says({ texts: ['Once ', 'upon'], stop: null, usage: dialect.usage }));
          houses.server.play(...events(...open, dialect.errorEvent(type, 'It broke, the-key.')));
          const house = await houses.open(dialect, {});
          await house.send('Hello');
          assert.deepEqual(outline(house.shown.entries), [
            'user (unsent): Hello',
            'assistant (incomplete): Once upon',
            `note (failed): ${text}`,
          ]);
          assert.deepEqual(house.note?.actions, actions);
          assert.equal(houses.server.requests.length, 1);
        });
      }
    });
  });
}
