import assert from 'node:assert/strict';
import { LOG_VERSION } from '../../../src/engine/chat/order/stamp.js';
import { crc32 } from 'node:zlib';
import { decodeLine, encodeLine } from '../../../src/storage/log/line.js';
import { stamped, title } from './fixtures.js';

const event = stamped(title('Plan'), 7, 'w1');

function lineWith(members: object): Buffer {
  return encodeLine({ ...event, ...members }).subarray(0, -1);
}

function faultOf(line: Uint8Array): string {
  const decoded = decodeLine(line, 'w1');
  return decoded.ok ? 'none' : decoded.fault;
}

describe('a line of a segment', () => {
  it('is a JSON object with its stamp first and its checksum last, ended by a line feed', () => {
    const text = encodeLine(event).toString();
    const body = '{"v":3,"seq":7,"id":"w1-7","at":1700000000000,"type":"title","title":"Plan","by":"user"';
    const sum = crc32(body).toString(16).padStart(8, '0');
    assert.equal(text, `${body},"sum":"${sum}"}\n`);
  });

  it('does not hold its writer, who is named by the file', () => {
    assert.doesNotMatch(encodeLine(event).toString(), /writer/);
    const decoded = decodeLine(encodeLine(event).subarray(0, -1), 'another');
    assert.equal(decoded.ok && decoded.event.writer, 'another');
  });

  it('pads its checksum to eight digits', () => {
    const lines = Array.from({ length: 64 }, (_, seq) => encodeLine(stamped(title('x'), seq + 1, 'w1')).toString());
    const hasZero = lines.some((line) => line.includes('"sum":"0'));
    assert.ok(hasZero, 'no example has a leading zero');
    for (const line of lines) {
      assert.match(line, /,"sum":"[0-9a-f]{8}"\}\n$/);
    }
  });

  it('gives back the event it was made from', () => {
    assert.deepEqual(decodeLine(encodeLine(event).subarray(0, -1), 'w1'), { ok: true, event });
  });
});

describe('a line that gives no event', () => {
  it('is torn when its end is missing', () => {
    const line = encodeLine(event).subarray(0, -1);
    assert.equal(faultOf(line.subarray(0, -1)), 'torn');
    assert.equal(faultOf(line.subarray(0, 20)), 'torn');
    assert.equal(faultOf(Buffer.alloc(0)), 'torn');
  });

  it('is corrupt when its content has changed since Loupe wrote it', () => {
    const line = encodeLine(event).subarray(0, -1).toString();
    assert.equal(faultOf(Buffer.from(line.replace('Plan', 'Plot'))), 'corrupt');
  });

  it('is corrupt when it is intact and still no event', () => {
    const sealed = (body: string): Buffer => Buffer.from(`${body},"sum":"${crc32(body).toString(16).padStart(8, '0')}"}`);
    assert.equal(faultOf(sealed('{"v":2')), 'corrupt');
    assert.equal(faultOf(sealed('["v"')), 'corrupt');
    assert.equal(faultOf(sealed('{"v":2,"type":"title"')), 'corrupt');
  });

  it('is corrupt when its stamp cannot be ordered', () => {
    for (const members of [{ v: 0 }, { v: '1' }, { seq: 0 }, { seq: 1.5 }, { seq: null }, { id: 5 }, { at: null }]) {
      assert.equal(faultOf(lineWith(members)), 'corrupt', JSON.stringify(members));
    }
  });

  it('is newer when its version is', () => {
    assert.equal(faultOf(lineWith({ v: LOG_VERSION + 1 })), 'newer');
  });

  it('is older when its version is one that was never released', () => {
    assert.equal(faultOf(lineWith({ v: 1 })), 'older');
  });

  it('is newer rather than unknown when both its version and its type are', () => {
    assert.equal(faultOf(lineWith({ v: LOG_VERSION + 1, type: 'hologram' })), 'newer');
  });

  it('is of unknown type when this version has no such event', () => {
    assert.equal(faultOf(lineWith({ type: 'hologram' })), 'unknownType');
    assert.equal(faultOf(lineWith({ type: 'constructor' })), 'unknownType');
  });

  it('is judged by its checksum before its version: a damaged version number is damage', () => {
    const line = encodeLine(event).subarray(0, -1).toString();
    assert.equal(faultOf(Buffer.from(line.replace('"v":3', '"v":9'))), 'corrupt');
  });
});
