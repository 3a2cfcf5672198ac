import assert from 'node:assert/strict';
import { EventStream, MAX_EVENT_BYTES } from '../../../src/providers/http/eventStream.js';

const text = (bytes: Uint8Array | null): string => (bytes === null ? '' : Buffer.from(bytes).toString());

/** What comes out while the parts come in, and at the end of the stream. */
function passedOn(...parts: readonly (string | Uint8Array)[]): { during: string; atEnd: string } {
  const stream = new EventStream();
  const during = parts.map((part) => text(stream.push(Buffer.from(part)))).join('');
  return { during, atEnd: text(stream.end()) };
}

const atEnd = (input: string): string => passedOn(input).atEnd;

describe('an event stream', () => {
  it('passes events on as soon as they are whole, with their empty lines', () => {
    const stream = new EventStream();
    assert.equal(stream.push(Buffer.from('event: a\ndata: {"x":')), null);
    assert.equal(stream.push(Buffer.from('1}\n')), null);
    assert.equal(text(stream.push(Buffer.from('\ndata: 2\n\ndata: 3'))), 'event: a\ndata: {"x":1}\n\ndata: 2\n\n');
    assert.equal(text(stream.push(Buffer.from('\n\n'))), 'data: 3\n\n');
    assert.equal(stream.end(), null);
  });

  it('ends lines with any of \\n, \\r\\n and \\r', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const input = `data: 1${end}${end}: comment${end}data: 2${end}${end}`;
      for (let cut = 0; cut <= input.length; cut += 1) {
        const { during, atEnd: last } = passedOn(input.slice(0, cut), input.slice(cut));
        assert.deepEqual([during, last], [input, ''], `${JSON.stringify(end)} cut at ${String(cut)}`);
      }
    }
  });

  it('drops events of comments and of fields alone, which parsers would keep', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const idle = `: ping${end}${end}id: 7${end}retry: 1${end}${end}`;
      const { during } = passedOn(idle, `${idle}data: 1${end}`, `${end}${idle}`);
      assert.equal(during.replace(/^[\r\n]*|[\r\n]*$/g, ''), 'data: 1', JSON.stringify(end));
    }
    assert.equal(passedOn(': about it\n', 'data: 1\n\n').during, ': about it\ndata: 1\n\n');
  });

  it('drops events without data, as the format has it: parsers take the empty text for broken JSON', () => {
    for (const idle of [
      'event: ping\n\n',
      'event: ping\r\ndata:\r\n\r\n',
      'data: \n\n',
      'data\n\n',
      'data:\ndata: \n\n',
      'database: x\n\n',
    ]) {
      const { during } = passedOn(idle, 'data: 1\n\n');
      assert.equal(during.replace(/^\n/, ''), 'data: 1\n\n', JSON.stringify(idle));
    }
    for (const event of ['event: ping\ndata: {}\n\n', 'data:\ndata:{}\n\n', '\ufeffdata:1\n\n', 'data:  x\n\n']) {
      assert.equal(passedOn(event).during, event, JSON.stringify(event));
    }
  });

  it('is the same however it is split, down to its bytes', () => {
    const input = Buffer.from('\ufeffdata: "ä€𝄞"\n\nevent: x\r\ndata: {"a":\r\ndata: 1}\r\n\r\n\n\ndata: [DONE]\r\r');
    const { during } = passedOn(...Array.from(input, (byte) => Uint8Array.of(byte)));
    assert.deepEqual(Buffer.from(during), input);
    for (let cut = 0; cut <= input.length; cut += 1) {
      assert.equal(passedOn(input.subarray(0, cut), input.subarray(cut)).during, during, String(cut));
    }
  });

  describe('that ends in an open event', () => {
    it('passes it on, ended, when its data is whole', () => {
      assert.equal(atEnd('data: {"a":1}'), 'data: {"a":1}\n\n');
      assert.equal(atEnd('data: {"a":1}\n'), 'data: {"a":1}\n\n\n');
      assert.equal(atEnd('event: x\r\ndata:{"a":1}'), 'event: x\ndata:{"a":1}\n\n');
      assert.equal(atEnd('data: [DONE]'), 'data: [DONE]\n\n');
      assert.equal(atEnd('data: {"a":\ndata: 1}'), 'data: {"a":\ndata: 1}\n\n', 'also when it takes several lines');
      assert.equal(atEnd('\ufeffdata: "x"'), 'data: "x"\n\n', 'also behind a byte order mark');
    });

    it('drops it when it was cut', () => {
      for (const input of [
        'data: {"a":1',
        'data: [DON',
        'data: "\ud83d',
        'data:',
        'data',
        'event: x',
        'event: x\n',
        'dat',
        ': ',
        'id: 1\n',
        'data: {"a":1}\ndata: x\n',
        'database: {"a":1}',
      ]) {
        assert.equal(atEnd(input), '', JSON.stringify(input));
      }
    });

    it('drops a number, which may go on', () => {
      assert.equal(atEnd('data: 12'), '');
      assert.equal(atEnd('data: {"a":12}'), 'data: {"a":12}\n\n');
    });

    it('drops only its open line when that is not needed', () => {
      assert.equal(atEnd('data: {"a":1}\nid'), 'data: {"a":1}\nid\n\n', 'a line that means nothing does no harm');
      assert.equal(atEnd('data: {"a":1}\ndata: {"b'), 'data: {"a":1}\n\n');
    });

    it('never gives broken JSON, broken characters or anything new, wherever it is cut', () => {
      const whole = Buffer.from('event: a\ndata: {"t":"ä€𝄞\\n"}\n\nevent: b\r\ndata: {"t":"é","n":12}\r\n\r\ndata: [DONE]\n\n');
      const payloads = ['{"t":"ä€𝄞\\n"}', '{"t":"é","n":12}', '[DONE]'];
      for (let cut = 0; cut <= whole.length; cut += 1) {
        const { during, atEnd: last } = passedOn(whole.subarray(0, cut));
        const given = [...`${during}${last}`.matchAll(/^data: ?(.*?)\r?$/gm)].map(([, data]) => data);
        assert.deepEqual(given, payloads.slice(0, given.length), String(cut));
        const complete = payloads.filter((payload) => whole.subarray(0, cut).includes(payload));
        assert.equal(given.length, complete.length, `cut at ${String(cut)}: what was complete is there`);
      }
    });
  });

  it('says when an event is too long, and holds no more than that', () => {
    const stream = new EventStream();
    const part = Buffer.alloc(64 * 1024, 'x');
    let length = 0;
    while (!stream.isTooLong) {
      stream.push(part);
      length += part.length;
    }
    assert.equal(length, MAX_EVENT_BYTES + part.length);
  });

  it('takes a long event in tiny parts without growing slow', () => {
    const stream = new EventStream();
    const started = performance.now();
    for (let length = 0; length < MAX_EVENT_BYTES; length += 16) {
      stream.push(Buffer.from('xxxxxxxxxxxxxxxx'));
    }
    assert.ok(!stream.isTooLong);
    assert.ok(performance.now() - started < 10_000);
  });
});
