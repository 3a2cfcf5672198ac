import assert from 'node:assert/strict';
import { toErrorRecord } from '../../src/engine/errors.js';
import type { ErrorKind } from '../../src/engine/failures/entry.js';
import type { Endpoint } from '../../src/providers/endpoint.js';
import { EventLoopTurns } from '../../src/providers/http/turns.js';
import { depth } from '../support/depth.mjs';
import { answer, chunk, chunkedHead, EVENT_STREAM, events, head } from '../support/http/answers.js';
import { ask, OPEN, read, type Read } from '../support/http/asking.js';
import { useFaultServer } from '../support/http/faultPeer.js';
import type { FaultServer } from '../support/http/faultServer.js';
import { rejection } from '../support/rejection.js';

const STEP = depth({ short: 7, deep: 1 });
/** Hundreds of requests take seconds, and more on a busy computer. */
const EVERY_BYTE_MS = 60_000;

describe('an answer', () => {
  let server: FaultServer;
  let endpoint: Endpoint;

  useFaultServer((peer) => {
    ({ server, endpoint } = peer);
  });

  describe('that', () => {
    const EVENTS = 'data: {"a":1}\n\ndata: {"b":2}\n\n';
    const readAs = (type: string | null, body: string): Promise<Read> => {
      server.play(...answer(200, type === null ? {} : { 'content-type': type }, body));
      return read(endpoint);
    };

    it('is a stream is read as one, whatever it calls itself', async () => {
      for (const type of ['Text/Event-Stream; charset=utf-8', null, 'text/plain', 'application/json', 'text/html']) {
        for (const start of ['', '\uFEFF', '\n', ': ping\n\n', 'event: x\n', 'id: 1\n', 'retry: 1\n\n']) {
          assert.deepEqual(
            await readAs(type, `${start}${EVENTS}`),
            { values: [{ a: 1 }, { b: 2 }], error: null },
            `${String(type)} ${start}`,
          );
        }
      }
    });

    it('is whole JSON is its only event, whatever it calls itself', async () => {
      for (const type of ['application/json', 'text/event-stream', 'text/plain', null]) {
        assert.deepEqual(await readAs(type, ' \n{"a":\n1}\n'), { values: [{ a: 1 }], error: null }, String(type));
      }
    });

    it('is whole JSON is read also where its byte order mark comes alone, or in two pieces', async () => {
      const mark = Buffer.from('\uFEFF');
      for (const pieces of [[mark], [mark.subarray(0, 1), mark.subarray(1)]]) {
        const sent = [...pieces, Buffer.from('{"a":1}')].map(chunk);
        server.play(chunkedHead(200, { 'content-type': 'application/json' }), ...sent, chunk(''));
        assert.deepEqual(await read(endpoint), { values: [{ a: 1 }], error: null });
      }
    });

    it('ends at [DONE], and needs no more', async () => {
      server.play(chunkedHead(200, EVENT_STREAM), chunk('data: {"a":1}\n\ndata: [DONE]\n\ndata: {"b":2}\n\n'), { do: 'hang' });
      assert.deepEqual(await read(endpoint), { values: [{ a: 1 }], error: null });
      assert.deepEqual(await (await server.next()).closed, { byClient: true });
    });

    it('has usage beside an error gives the usage first', async () => {
      const { values, error } = await readAs(
        'text/event-stream',
        'data: {"a":1}\n\ndata: {"error":{"message":"Full."},"usage":{"in":3}}\n\n',
      );
      assert.deepEqual(values, [{ a: 1 }, { usage: { in: 3 } }]);
      assert.match(error?.message ?? '', /reported an error/);
    });

    it('has events without data skips them', async () => {
      assert.deepEqual((await readAs('text/event-stream', `event: ping\n\ndata:\n\ndata: \n\n${EVENTS}`)).values, [{ a: 1 }, { b: 2 }]);
    });

    const failed: readonly (readonly [what: string, type: string, body: string, kind: ErrorKind, words: RegExp])[] = [
      ['an error as JSON', 'application/json', '{"error":{"message":"Slow down, the-key","code":429}}', 'rateLimit', /Slow down, \[key\]/],
      ['an error as a list', 'application/json', '[{"error":{"code":503,"message":"No room"}}]', 'overloaded', /No room/],
      [
        'an error with a code of its own',
        'application/json',
        '{"base_resp":{"status_code":1004,"status_msg":"no login"}}',
        'protocol',
        /1004: no login/,
      ],
      ['an error as an event', 'text/event-stream', 'data: {"error":{"message":"Broke","type":"api_error"}}\n\n', 'overloaded', /Broke/],
      ['an error event of a text', 'text/event-stream', 'event: error\ndata: no more the-key\n\n', 'protocol', /no more \[key\]/],
      ['an error event of JSON', 'text/event-stream', 'event: error\ndata: {"message":"Gone wrong"}\n\n', 'protocol', /200: Gone wrong$/],
      ['a page', 'text/html', '<html><title>Log in, the-key</title></html>', 'protocol', /a page with the title "Log in, \[key\]"/],
      ['a page that calls itself a stream', 'text/event-stream', '\n<!doctype html><title>Log in</title>', 'protocol', /"Log in"/],
      ['JSON that breaks off', 'application/json', '{"choices":["the-key', 'protocol', /\{"choices":\["\[key\]/],
      ['an event that is no JSON', 'text/event-stream', ': ping\n\ndata: {"x the-key\n\n', 'protocol', /^Error: \{"x \[key\]$/],
    ];
    for (const [what, type, body, kind, words] of failed) {
      it(`is ${what} fails with the words of the server, without the key`, async () => {
        const { values, error } = await readAs(type, body);
        assert.deepEqual([values, error?.kind], [[], kind]);
        assert.match(error === null ? '' : (toErrorRecord(error).detail ?? ''), words);
        assert.doesNotMatch(JSON.stringify(error === null ? '' : toErrorRecord(error)), /the-key/);
      });
    }

    it('held no reply tells what it held, or that it was empty', async () => {
      for (const [body, code, detail] of [
        ['', 'provider.emptyReply', null],
        [': ping\n\n: ping\n\n', 'provider.emptyReply', null],
        [': ping\n\ndata: [DONE]\n\n', 'provider.emptyReply', null],
        ['data: {"ok":true}\n\n', 'provider.emptyReply', 'Error: data: {"ok":true}'],
        ['The model the-key is asleep.', 'provider.noReply', 'Error: The model [key] is asleep.'],
        ['{"ok":true}', 'provider.noReply', 'Error: {"ok":true}'],
      ] as const) {
        server.play(...answer(200, EVENT_STREAM, body));
        const got = await ask(endpoint, '{}', OPEN);
        for await (const value of got.events(new EventLoopTurns())) {
          assert.deepEqual(value, { ok: true });
        }
        const error = got.noReply();
        assert.deepEqual([error.code, toErrorRecord(error).detail], [code, detail], body);
      }
    });

    it('has a status that is none of success fails with its words', async () => {
      for (const [status, body, code, words] of [
        [400, '[{"error":{"code":400,"message":"API key not valid"}}]', 'http.notAccepted', /400: API key not valid/],
        [429, '{"detail":"Too fast"}', 'http.rateLimit', /Too fast/],
        [502, '<title>Bad gateway</title>', 'http.serverFailed', /"Bad gateway"/],
        [503, 'upstream is down', 'http.overloaded', /upstream is down/],
        [504, '', 'http.gaveUp', /HTTP 504$/],
        [799, 'x', 'http.notAccepted', /HTTP 799: x/],
      ] as const) {
        server.play(...answer(status, {}, body));
        const error = await rejection(ask(endpoint, '{}', OPEN));
        assert.equal(error.code, code);
        assert.match(toErrorRecord(error).detail ?? '', words);
      }
    });
  });

  describe('that streams, however it comes,', () => {
    /** Characters of two, three and four bytes, escapes, line ends inside JSON, and characters of events. */
    const TEXTS = ['ä€𝄞"', 'data: {}\r\n', 'end'];
    const SAID = TEXTS.map((text) => JSON.stringify({ text }));
    const WRITTEN = [
      ['\n', 'event: x\n'],
      ['\r\n', ''],
    ] as const;

    for (const [end, start] of WRITTEN) {
      const bytes = Buffer.from(`${SAID.map((data) => `${start}data: ${data}${end}${end}`).join('')}data: [DONE]${end}${end}`);
      const wholeIn = (part: Buffer): readonly unknown[] =>
        TEXTS.filter((_, at) => part.includes(SAID[at] ?? '')).map((text) => ({ text }));
      const isDone = (part: Buffer): boolean => part.includes('[DONE]');

      it(`gives the same: split at any byte, with ${JSON.stringify(end)}`, async () => {
        for (let at = 1; at < bytes.length; at += STEP) {
          server.play(...events(bytes.subarray(0, at), bytes.subarray(at)));
          assert.deepEqual(await read(endpoint), { values: wholeIn(bytes), error: null }, `split at byte ${String(at)}`);
        }
      }).timeout(EVERY_BYTE_MS);

      it(`gives what was whole and nothing else: lost at any byte, with ${JSON.stringify(end)}`, async () => {
        for (let at = 1; at < bytes.length; at += STEP) {
          const part = bytes.subarray(0, at);
          server.play(chunkedHead(200, EVENT_STREAM), chunk(part));
          const { values, error } = await read(endpoint);
          assert.deepEqual([values, error?.kind ?? null], [wholeIn(part), isDone(part) ? null : 'incomplete'], `cut at byte ${String(at)}`);
        }
      }).timeout(EVERY_BYTE_MS);

      it(`gives what was whole and nothing else: ended at any byte, with ${JSON.stringify(end)}`, async () => {
        for (let at = 0; at < bytes.length; at += STEP) {
          const part = bytes.subarray(0, at);
          server.play(head(200, EVENT_STREAM), { do: 'send', bytes: part });
          assert.deepEqual(await read(endpoint), { values: wholeIn(part), error: null }, `end at byte ${String(at)}`);
        }
      }).timeout(EVERY_BYTE_MS);
    }
  });
});
