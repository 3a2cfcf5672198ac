import assert from 'node:assert/strict';
import { Connection } from '../../../src/providers/http/connection.js';
import { eventsIn } from '../../../src/providers/http/eventStream.js';
import { EventLoopTurns } from '../../../src/providers/http/turns.js';
import { endpointAt } from '../../support/http/endpoints.js';
import { failureOf } from '../../support/failures.js';

const MIB = 1024 * 1024;
const connection = (): Connection => new Connection(endpointAt('http://127.0.0.1:1'), null, new AbortController().signal);

async function* given(parts: readonly (string | Uint8Array)[], end: Error | null): AsyncGenerator<Uint8Array, void> {
  for (const part of parts) {
    yield await Promise.resolve(Buffer.from(part));
  }
  if (end !== null) {
    throw end;
  }
}

/** The data of the events, and the error at the end or null. */
async function readFrom(parts: readonly (string | Uint8Array)[], end: Error | null): Promise<{ data: string[]; thrown: unknown }> {
  const data: string[] = [];
  try {
    for await (const event of eventsIn(given(parts, end), connection(), new EventLoopTurns())) {
      data.push(event.data);
    }
  } catch (thrown) {
    return { data, thrown };
  }
  return { data, thrown: null };
}

const dataOf = async (...parts: readonly (string | Uint8Array)[]): Promise<string[]> => (await readFrom(parts, null)).data;

describe('an event stream', () => {
  it('gives the same events with any line ends, however it is split', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const input = Buffer.from(
        ['\u{FEFF}event: a', 'data: "ä€𝄞"', '', ': comment', '', 'id: 7', '', 'data: {"a":', 'data:1}', '', ''].join(end),
      );
      const expected = ['"ä€𝄞"', '{"a":\n1}'];
      for (let cut = 0; cut <= input.length; cut += 1) {
        assert.deepEqual(
          await dataOf(input.subarray(0, cut), input.subarray(cut)),
          expected,
          `${JSON.stringify(end)} cut at ${String(cut)}`,
        );
      }
      assert.deepEqual(await dataOf(...Array.from(input, (byte) => Uint8Array.of(byte))), expected);
    }
  });

  describe('that ends in an open event', () => {
    it('gives it when its data is whole', async () => {
      for (const [input, data] of [
        ['data: {"a":1}', '{"a":1}'],
        ['data: {"a":1}\n', '{"a":1}'],
        ['event: x\r\ndata:{"a":12}', '{"a":12}'],
        ['data: {"a":\ndata: 1}', '{"a":\n1}'],
        ['data: {"a":1}\nid', '{"a":1}'],
        ['data: [DONE]', '[DONE]'],
      ] as const) {
        assert.deepEqual(await dataOf(input), [data], JSON.stringify(input));
      }
    });

    it('drops it when it was cut, or may have been', async () => {
      for (const input of [
        'data: {"a":1',
        'data: [DON',
        'data: "\ud83d',
        'data:',
        'data',
        'event: x\n',
        ': ',
        'database: {"a":1}',
        'data: 12',
      ]) {
        assert.deepEqual(await dataOf(input), [], JSON.stringify(input));
      }
    });

    it('never gives broken JSON, broken characters or anything new, wherever it breaks off', async () => {
      const whole = Buffer.from('event: a\ndata: {"t":"ä€𝄞\\n"}\n\nevent: b\r\ndata: {"t":"é","n":12}\r\n\r\ndata: [DONE]\n\n');
      const payloads = ['{"t":"ä€𝄞\\n"}', '{"t":"é","n":12}', '[DONE]'];
      const broken = failureOf('incomplete', 'Broken.');
      for (let cut = 0; cut <= whole.length; cut += 1) {
        const { data, thrown } = await readFrom([whole.subarray(0, cut)], broken);
        const expected = payloads.filter((payload) => whole.subarray(0, cut).includes(payload));
        assert.deepEqual(data, expected, String(cut));
        assert.equal(thrown, broken);
      }
    });
  });

  it('is stopped at an event or a line without end, behind what came before', async () => {
    const part = 'x'.repeat(64 * 1024);
    for (const [start, next] of [
      ['data: ', part],
      ['', `data: ${part}\n`],
    ] as const) {
      const { data, thrown } = await readFrom(['data: 1\n\n', start, ...Array.from({ length: 300 }, () => next)], null);
      assert.deepEqual(data, ['1']);
      assert.match(String(thrown), /sent more than 16 MiB at a time/);
    }
  });

  it('takes a long event in tiny parts without growing slow', async () => {
    const parts = ['data: "', ...Array.from({ length: (3 * MIB) / 16 }, () => 'xxxxxxxxxxxxxxxx'), '"\n\n'];
    assert.equal((await readFrom(parts, null)).data[0]?.length, 3 * MIB + 2);
  });
});
