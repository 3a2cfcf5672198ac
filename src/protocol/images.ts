import { fileSize } from './numbers.js';
import type { ImageView } from './panel/entries.js';

/*
 * Images of messages in the panel. The panel asks the host for each visible image and receives a data URL.
 */

/** Formats that every browser shows and that cannot contain scripts, with their file extensions. */
export const IMAGE_EXTENSIONS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp' } as const;

export type DrawableType = keyof typeof IMAGE_EXTENSIONS;

export const DRAWABLE_TYPES = Object.keys(IMAGE_EXTENSIONS) as [DrawableType, ...DrawableType[]];

/** Maximum bytes of an image that the panel draws. For a larger image, which would be slow, the panel shows a name. */
export const MOST_IMAGE_BYTES = 8 * 1024 * 1024;

/** Maximum pixels of an image that the panel draws, or that the user adds. Decoding more can exhaust the memory. */
export const MOST_IMAGE_PIXELS = 99_999_999;

/** Maximum bytes of an image that the user adds: more than the largest photos of phones. */
export const MOST_ADDED_BYTES = 32 * 1024 * 1024;

/** Maximum number and bytes of images that the user adds in one step. The webview reads all of them into memory. */
export const MOST_ADDED_IMAGES = 100;
export const MOST_ADDED_TOGETHER = 8 * MOST_ADDED_BYTES;

/** Returns the format of an image that an editor shows. Null for other formats. */
export function drawableType({ mimeType }: Pick<ImageView, 'mimeType'>): DrawableType | null {
  return DRAWABLE_TYPES.find((type) => type === mimeType) ?? null;
}

/** Returns why the panel shows only the name of an image, in a sentence. Null if it draws it. Accepts unknown sizes. */
export function notDrawn({ mimeType, bytes, width, height }: Omit<ImageView, 'type' | 'blob'>): string | null {
  if (!DRAWABLE_TYPES.some((type) => type === mimeType)) {
    return 'The panel cannot show this format.';
  }
  if ((bytes ?? 0) > MOST_IMAGE_BYTES) {
    return `This image is larger than ${fileSize(MOST_IMAGE_BYTES)}, the limit of the panel.`;
  }
  return (width ?? 0) * (height ?? 0) > MOST_IMAGE_PIXELS ? 'This image has too many pixels for the panel.' : null;
}

/** Describes an image by type, dimensions and size in bytes. Leaves out unknown values. */
export function imageFacts({ mimeType, bytes, width, height }: ImageView): string {
  const size = width === null || height === null ? [] : [`${String(width)} × ${String(height)}`];
  return [mimeType, ...size, ...(bytes === null ? [] : [fileSize(bytes)])].join(', ');
}

/** The host's response to `scaleImage`. `url` is a data URL of the image. */
export interface ImageToScale {
  readonly type: 'imageToScale';
  readonly chatId: string;
  readonly blob: string;
  readonly url: string;
}

/** The host's response to `showImage`. */
export interface ImageResponse {
  readonly type: 'image';
  readonly chatId: string;
  readonly blob: string;
  /** A data URL of the image. Null if the image cannot be shown. */
  readonly url: string | null;
  /** A sentence for the user: why the image cannot be shown. Null if it can be shown. */
  readonly problem: string | null;
}
