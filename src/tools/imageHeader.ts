import { type ImageType, isImageType } from '../engine/model/imageRules.js';
import { sizeText } from './mcp/limits.js';

/** What the header of an image says. */
export interface ImageHeader {
  readonly mimeType: ImageType;
  /** In pixels, as stored, without a rotation that the file asks for. */
  readonly width: number;
  readonly height: number;
}

/** How a file of each format begins, in Latin-1. In a WebP file, four bytes with the length follow `RIFF`. */
const BEGINNINGS: Readonly<Record<ImageType, (begin: string) => boolean>> = {
  'image/png': (begin) => begin.startsWith('\u0089PNG\r\n\u001a\n'),
  'image/jpeg': (begin) => begin.startsWith('\u00ff\u00d8'),
  'image/gif': (begin) => begin.startsWith('GIF87a') || begin.startsWith('GIF89a'),
  'image/webp': (begin) => begin.startsWith('RIFF') && begin.startsWith('WEBPVP8', 8),
};
const TYPES = Object.keys(BEGINNINGS).filter(isImageType);

/** Maximum bytes that are searched for the dimensions. In a JPEG, they follow the metadata. Searching more is slow. */
const HEADER_BYTES = 1024 * 1024;

/**
 * Reads the format and dimensions of an image by its first bytes. Returns the reason as an error for other content. The
 * library reads only the four formats: its readers of other formats take seconds for some files.
 */
export async function readImageHeader(bytes: Uint8Array): Promise<ImageHeader | Error> {
  // Copies the bytes, because the library reads beyond the end of a view.
  const start = new Uint8Array(bytes.subarray(0, HEADER_BYTES));
  const mimeType = formatOf(start);
  if (mimeType === undefined) {
    return new Error('The file is no PNG, JPEG, GIF or WebP image.');
  }
  const { imageSize } = await import('image-size');
  try {
    const { width, height } = imageSize(start);
    return Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0
      ? { mimeType, width, height }
      : new Error(`The image has ${String(width)} × ${String(height)} pixels.`);
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

function formatOf(bytes: Uint8Array): ImageType | undefined {
  const begin = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return TYPES.find((type) => BEGINNINGS[type](begin));
}

/** The format of an image in a tool result, and its dimensions in pixels. Unknown dimensions are null. */
export interface ToolImage {
  readonly mimeType: ImageType;
  readonly width: number | null;
  readonly height: number | null;
}

/**
 * Returns what the content of an image in a tool result says, because tools can name a wrong format. Null for content
 * that is no such image: a provider would refuse all later requests of the chat.
 */
export async function toolImage(bytes: Uint8Array): Promise<ToolImage | null> {
  const header = await readImageHeader(bytes);
  if (!(header instanceof Error)) {
    return header;
  }
  const mimeType = formatOf(bytes);
  // In a longer file, the dimensions can follow the searched bytes.
  return mimeType !== undefined && bytes.length > HEADER_BYTES ? { mimeType, width: null, height: null } : null;
}

/** Returns the text for the model in place of an image that models do not take. */
export function noImageText(mimeType: string, bytes: number): string {
  return `(image, ${mimeType}, ${sizeText(bytes)}: not a format that models take)`;
}
