/*
 * Images of messages in the panel. The panel requests visible images, and gets their bytes as data URLs.
 */

/** Formats that every browser draws and that cannot contain scripts, with their file extensions. */
const EXTENSIONS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp' } as const;

export type DrawnType = keyof typeof EXTENSIONS;

export const DRAWN_TYPES = Object.keys(EXTENSIONS) as [DrawnType, ...DrawnType[]];

/** Largest image in bytes that the panel draws: a large photo. Larger ones would stall it; it shows only their name. */
export const MOST_IMAGE_BYTES = 8 * 1024 * 1024;

/** Returns the format in which the panel draws an image, or null if it shows only a name. An unknown size may fit. */
export function drawnType({ mimeType, bytes }: { readonly mimeType: string; readonly bytes: number | null }): DrawnType | null {
  return bytes !== null && bytes > MOST_IMAGE_BYTES ? null : (DRAWN_TYPES.find((type) => type === mimeType) ?? null);
}

/** Returns the file extension without the dot. */
export function imageExtension(mimeType: DrawnType): string {
  return EXTENSIONS[mimeType];
}

/** The response to `showImage`. */
export interface ShownImage {
  readonly type: 'image';
  readonly chatId: string;
  readonly blob: string;
  /** A data URL. Null if the image cannot be shown. */
  readonly url: string | null;
  /** A sentence that says why it cannot be shown. Null if it can. */
  readonly problem: string | null;
}
