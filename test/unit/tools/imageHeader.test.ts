import assert from 'node:assert/strict';
import { imageDimensions, readImageHeader } from '../../../src/tools/imageHeader.js';
import { png, pngHeader } from '../../support/images.js';

const UNKNOWN = { width: null, height: null };

/** The part of a JPEG that has its size: 3 × 2 pixels. */
const FRAME = Buffer.from('ffc0000b080002000301011100', 'hex');
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');

/** A HEIF with an image of 3 × 2 pixels, as a box inside boxes. */
function heif(): Buffer {
  const box = (type: string, content: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(content.length + 8);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, content]);
  };
  const size = box('ispe', Buffer.from('000000000000000300000002', 'hex'));
  const meta = Buffer.concat([Buffer.alloc(4), box('iprp', box('ipco', size))]);
  return Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0heic', 'latin1')), box('meta', meta)]);
}

describe('the header of an image in a tool result', () => {
  it('has the dimensions', async () => {
    assert.deepEqual(await imageDimensions(png(3, 2, 0)), { width: 3, height: 2 });
    assert.deepEqual(await imageDimensions(Buffer.concat([JPEG, FRAME])), { width: 3, height: 2 });
  });

  it('is read only for formats that models accept, because readers of others can take seconds', async () => {
    assert.deepEqual(await imageDimensions(heif()), UNKNOWN);
    assert.deepEqual(await imageDimensions(Buffer.from('<svg width="3" height="2" xmlns="http://www.w3.org/2000/svg"/>')), UNKNOWN);
  });

  it('is searched only at the beginning of a JPEG', async () => {
    const metadata = Buffer.concat([Buffer.from('ffe2ffff', 'hex'), Buffer.alloc(65_533)]);
    const file = (parts: number): Buffer => Buffer.concat([JPEG, ...Array.from({ length: parts }, () => metadata), FRAME]);
    assert.deepEqual(await imageDimensions(file(3)), { width: 3, height: 2 });
    assert.deepEqual(await imageDimensions(file(17)), UNKNOWN);
  });

  it('does not use bytes after the end of the file', async () => {
    const whole = png(3, 2, 0);
    assert.ok((await readImageHeader(whole.subarray(0, 18))) instanceof Error);
  });

  it('is unknown without pixels', async () => {
    assert.deepEqual(await imageDimensions(pngHeader(0, 2)), UNKNOWN);
  });
});
