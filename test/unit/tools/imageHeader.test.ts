import assert from 'node:assert/strict';
import { readImageHeader, toolImage } from '../../../src/tools/imageHeader.js';
import { png, pngHeader } from '../../support/images.js';

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
  it('has the format of the content, with the dimensions', async () => {
    assert.deepEqual(await toolImage(png(3, 2, 0)), { mimeType: 'image/png', width: 3, height: 2 });
    assert.deepEqual(await toolImage(Buffer.concat([JPEG, FRAME])), { mimeType: 'image/jpeg', width: 3, height: 2 });
  });

  it('is read only for formats that models accept, because readers of others can take seconds', async () => {
    assert.deepEqual(await toolImage(heif()), null);
    assert.deepEqual(await toolImage(Buffer.from('<svg width="3" height="2" xmlns="http://www.w3.org/2000/svg"/>')), null);
  });

  it('is searched only at the beginning of a JPEG', async () => {
    const metadata = Buffer.concat([Buffer.from('ffe2ffff', 'hex'), Buffer.alloc(65_533)]);
    const file = (parts: number): Buffer => Buffer.concat([JPEG, ...Array.from({ length: parts }, () => metadata), FRAME]);
    assert.deepEqual(await toolImage(file(3)), { mimeType: 'image/jpeg', width: 3, height: 2 });
    assert.deepEqual(await toolImage(file(17)), { mimeType: 'image/jpeg', width: null, height: null });
  });

  it('does not use bytes after the end of the file', async () => {
    const whole = png(3, 2, 0);
    assert.ok((await readImageHeader(whole.subarray(0, 18))) instanceof Error);
  });

  it('is of no image without pixels', async () => {
    assert.deepEqual(await toolImage(pngHeader(0, 2)), null);
  });
});
