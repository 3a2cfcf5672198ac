import { crc32, deflateSync } from 'node:zlib';

/** Returns a valid grey PNG image. `extra` bytes of random-like text make the file larger without more pixels. */
export function png(width: number, height: number, extra: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits for each pixel, grey.
  header[8] = 8;
  const pixels = Buffer.alloc((width + 1) * height);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(extra === 0 ? [] : [chunk('tEXt', Buffer.alloc(extra, `note\0${String(extra)} `))]),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns a PNG with only its header: a huge size in a few bytes. */
export function pngHeader(width: number, height: number): Buffer {
  const file = png(1, 1, 0);
  file.writeUInt32BE(width, 16);
  file.writeUInt32BE(height, 20);
  return file;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
