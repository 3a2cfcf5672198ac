/*
 * Images of messages in the panel. The panel requests visible images, and gets their bytes as data URLs.
 */

/** Formats that every browser draws and that cannot contain scripts, with their file extensions. */
const EXTENSIONS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp' } as const;

export type DrawableType = keyof typeof EXTENSIONS;

export const DRAWABLE_TYPES = Object.keys(EXTENSIONS) as [DrawableType, ...DrawableType[]];

/** Largest image in bytes that the panel draws: a large photo. Larger ones would stall it; it shows only their name. */
export const MOST_IMAGE_BYTES = 8 * 1024 * 1024;

/** Returns the format in which the panel draws an image, or null if it shows only a name. An unknown size may fit. */
export function drawableType({ mimeType, bytes }: { readonly mimeType: string; readonly bytes: number | null }): DrawableType | null {
  return bytes !== null && bytes > MOST_IMAGE_BYTES ? null : (DRAWABLE_TYPES.find((type) => type === mimeType) ?? null);
}

/** Returns the file extension without the dot. */
export function imageExtension(mimeType: DrawableType): string {
  return EXTENSIONS[mimeType];
}

/** The response to `showImage`. */
export interface ImageResponse {
  readonly type: 'image';
  readonly chatId: string;
  readonly blob: string;
  /** A data URL. Null if the image cannot be shown. */
  readonly url: string | null;
  /** A sentence that says why it cannot be shown. Null if it can. */
  readonly problem: string | null;
}
