import { crc32, deflateSync } from 'node:zlib';

/** Returns a valid grey PNG image. `extra` bytes of random-like text make the file larger without more pixels. */
export function png(width: number, height: number, extra: number): Buffer {
  const pixels = Buffer.alloc((width + 1) * height);
  const note = extra === 0 ? [] : [chunk('tEXt', Buffer.alloc(extra, `note\0${String(extra)} `))];
  return pngFile(width, height, 0, [...note, chunk('IDAT', deflateSync(pixels))]);
}

/** `colorType`: 0 for grey, 2 for RGB. */
function pngFile(width: number, height: number, colorType: 0 | 2, chunks: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits for each color of a pixel.
  header[8] = 8;
  header[9] = colorType;
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

/** Returns a valid PNG image in color, of about `bytes` bytes, as slow to decode as a photo. `seed` makes it unique. */
export function noisyPng(width: number, height: number, bytes: number, seed: number): Buffer {
  const row = 1 + 3 * width;
  const pixels = Buffer.alloc(row * height);
  let random = seed + 1;
  const noisy = Math.floor((bytes / pixels.length) * row);
  for (let at = 0; at < pixels.length; at += 1) {
    // The first byte of a row is its filter: none.
    if (at % row > 0 && at % row <= noisy) {
      random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
      pixels[at] = random >>> 16;
    }
  }
  return pngFile(width, height, 2, [chunk('IDAT', deflateSync(pixels))]);
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
