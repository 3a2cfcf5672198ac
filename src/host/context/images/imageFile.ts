import { failure, type LoupeError } from '../../../engine/errors.js';
import type { ImageType } from '../../../engine/model/imageRules.js';
import { type ImageHeader, readImageHeader } from '../../../tools/imageHeader.js';
import { fileSize } from '../../../protocol/numbers.js';
import { MOST_ADDED_BYTES, MOST_IMAGE_PIXELS } from '../../../protocol/images.js';

/**
 * Returns the format and size of an image by its content, not by its name. Throws `invalidInput` with a sentence for
 * the user for content that no model accepts, or that is incomplete. `name` is the name for that sentence.
 */
export async function imageHeader(bytes: Uint8Array, name: string): Promise<ImageHeader> {
  if (bytes.length > MOST_ADDED_BYTES) {
    throw failure('image.tooManyBytes', { name, limit: fileSize(MOST_ADDED_BYTES) });
  }
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const header = await readImageHeader(bytes);
  if (header instanceof Error) {
    throw otherFile(name, file, header);
  }
  const { mimeType, width, height } = header;
  if (width * height > MOST_IMAGE_PIXELS) {
    throw failure('image.tooManyPixels', { name, width, height });
  }
  const frames = framesOf(mimeType, file);
  if (frames !== 1) {
    throw frames > 1 ? failure('image.animated', { name }) : broken(name, undefined);
  }
  return { mimeType, width, height };
}

/** How files of other formats begin, in Latin-1, with the names of the formats. */
const OTHER_FORMATS: readonly (readonly [begin: string, format: string])[] = [
  ['BM', 'BMP'],
  ['II*\0', 'TIFF'],
  ['MM\0*', 'TIFF'],
  ['8BPS', 'PSD'],
  ['\0\0\u0001\0', 'ICO'],
];

/** Returns the error for a file that models do not accept, with the name of its format if Loupe knows it. */
function otherFile(name: string, file: Buffer, cause: Error): LoupeError {
  const begin = file.toString('latin1', 0, 1024);
  if (begin.includes('<svg')) {
    return failure('image.svg', { name });
  }
  // HEIC and AVIF, the formats of phones, share a container whose header names the format.
  const container = begin.startsWith('ftyp', 4) ? begin.slice(8, 12).trim().toUpperCase() : undefined;
  const format = container ?? OTHER_FORMATS.find(([mark]) => begin.startsWith(mark))?.[1];
  return format === undefined ? broken(name, cause) : failure('image.otherFormat', { name, format });
}

function broken(name: string, cause: unknown): LoupeError {
  return failure('image.broken', { name }, { cause });
}

/** Returns the number of pictures in a file: 0 for an incomplete file, and 2 for any animation. */
function framesOf(mimeType: ImageType, file: Buffer): 0 | 1 | 2 {
  switch (mimeType) {
    case 'image/png':
      return pngFrames(file);
    case 'image/jpeg':
      return file.lastIndexOf(Buffer.of(0xff, 0xd9)) === -1 ? 0 : 1;
    case 'image/gif':
      return gifFrames(file);
    case 'image/webp':
      return webpFrames(file);
  }
}

function pngFrames(file: Buffer): 0 | 1 | 2 {
  const data = file.indexOf('IDAT');
  const animation = file.subarray(0, Math.max(0, data)).indexOf('acTL');
  return data === -1 || file.lastIndexOf('IEND') === -1 ? 0 : animation === -1 ? 1 : 2;
}

/** A WebP file is a RIFF container, whose header has its length. Bit 1 of the flags of `VP8X` marks an animation. */
function webpFrames(file: Buffer): 0 | 1 | 2 {
  const isAnimated = file.toString('latin1', 12, 16) === 'VP8X' && ((file[20] ?? 0) & 2) !== 0;
  return file.readUInt32LE(4) + 8 > file.length ? 0 : isAnimated ? 2 : 1;
}

/** Bytes that begin a block of a GIF file, and the end of the file. */
const GIF = { extension: 0x21, picture: 0x2c, end: 0x3b } as const;
const GIF_HEADER_BYTES = 13;
const GIF_PICTURE_BYTES = 10;

/** Walks over the blocks of a GIF file, because only the blocks say how many pictures the file has. */
function gifFrames(file: Buffer): 0 | 1 | 2 {
  let at = GIF_HEADER_BYTES + colorTableBytes(file[10] ?? 0);
  let frames: 0 | 1 = 0;
  while (at < file.length && file[at] !== GIF.end) {
    if (file[at] === GIF.picture) {
      if (frames === 1) {
        return 2;
      }
      frames = 1;
      at = afterSubBlocks(file, at + GIF_PICTURE_BYTES + colorTableBytes(file[at + 9] ?? 0) + 1);
    } else if (file[at] === GIF.extension) {
      at = afterSubBlocks(file, at + 2);
    } else {
      return 0;
    }
  }
  return at < file.length ? frames : 0;
}

/** Bit 7 of a GIF's flags says that a table of colors follows, the lowest three bits how large the table is. */
function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** Each sub-block begins with its length. A length of 0 ends the list. */
function afterSubBlocks(file: Buffer, from: number): number {
  let at = from;
  while ((file[at] ?? 0) !== 0) {
    at += 1 + (file[at] ?? 0);
  }
  return at + 1;
}
