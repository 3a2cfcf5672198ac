import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { MAX_REPLY_BYTES } from '../../../src/engine/chat/message/reply.js';
import { ProviderResponse } from '../../../src/providers/http/answer.js';
import { MIB, wholeText } from '../../../src/providers/http/body.js';
import { Connection } from '../../../src/providers/http/connection.js';
import { EventLoopTurns } from '../../../src/providers/http/turns.js';
import { endpointAt } from '../../support/http/endpoints.js';
import { rejection } from '../../support/rejection.js';

const CHUNK = 16 * 1024;

/** An answer after so many chunks of white space. `taken` is the number of read chunks. */
function answerAfter(blanks: number, end: string): { readonly events: () => Promise<unknown[]>; readonly taken: () => number } {
  let taken = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      taken += 1;
      controller.enqueue(taken <= blanks ? Buffer.alloc(CHUNK, '\n') : Buffer.from(end));
      if (taken > blanks) {
        controller.close();
      }
    },
  });
  const connection = new Connection(endpointAt('http://127.0.0.1:1'), null, new AbortController().signal);
  const answer = new ProviderResponse(new Response(body), connection, null);
  const events = async (): Promise<unknown[]> => {
    const values: unknown[] = [];
    for await (const value of answer.events(new EventLoopTurns())) {
      values.push(value);
    }
    return values;
  };
  return { events, taken: () => taken };
}

describe('the whole text of an answer', () => {
  it('is read up to the limit of a reply', async () => {
    let taken = 0;
    const endless = (async function* () {
      for (;;) {
        taken += 1;
        yield await Promise.resolve(new Uint8Array(MIB));
      }
    })();
    const { code, message } = await rejection(wholeText(endless, { endpoint: endpointAt('http://127.0.0.1:1') }));
    assert.deepEqual([code, taken], ['provider.tooLarge', MAX_REPLY_BYTES / MIB + 1]);
    assert.match(message, /more than 16 MiB/);
  });
});

describe('white space before an answer', () => {
  it('is read once, however long it is', async () => {
    const decode = mock.method(TextDecoder.prototype, 'decode');
    try {
      for (const end of ['data: {"a":1}\n\n', '{"a":1}']) {
        decode.mock.resetCalls();
        const blanks = 64;
        assert.deepEqual(await answerAfter(blanks, end).events(), [{ a: 1 }]);
        const lengths = decode.mock.calls.map(({ arguments: [bytes] }) => bytes?.byteLength ?? 0);
        const total = lengths.reduce((sum, length) => sum + length, 0);
        // Once to find the start, and once to read the events.
        assert.ok(total <= 2 * (blanks * CHUNK + end.length), `${String(total)} bytes were decoded`);
      }
    } finally {
      decode.mock.restore();
    }
  });

  it('counts against the limit of a reply', async () => {
    const endless = answerAfter(Infinity, '');
    const { code } = await rejection(endless.events());
    assert.equal(code, 'provider.tooLarge');
    assert.ok(endless.taken() <= MAX_REPLY_BYTES / CHUNK + 3);
  });
});
