/*
 * Images of messages in the panel. The panel asks for each one that comes into sight, and gets its bytes as a data URL.
 */

/** The formats that every browser draws, with how a file of one is named. None of them can hold a script. */
const EXTENSIONS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp' } as const;

export type DrawnType = keyof typeof EXTENSIONS;

export const DRAWN_TYPES = Object.keys(EXTENSIONS) as [DrawnType, ...DrawnType[]];

/** Most bytes of an image that the panel draws: a large photo. Larger ones would stall it, and are only named. */
export const MOST_IMAGE_BYTES = 8 * 1024 * 1024;

/** The format in which the panel draws an image; null for one that it only names. An unknown size may be small enough. */
export function drawnType({ mimeType, bytes }: { readonly mimeType: string; readonly bytes: number | null }): DrawnType | null {
  return bytes !== null && bytes > MOST_IMAGE_BYTES ? null : (DRAWN_TYPES.find((type) => type === mimeType) ?? null);
}

/** How the name of a file with such an image ends, without the dot. */
export function imageExtension(mimeType: DrawnType): string {
  return EXTENSIONS[mimeType];
}

/** The answer to `showImage`. */
export interface ShownImage {
  readonly type: 'image';
  readonly chatId: string;
  readonly blob: string;
  /** A data URL; null where the image cannot be shown. */
  readonly url: string | null;
  /** Why it cannot be shown, as a sentence; null where it can. */
  readonly problem: string | null;
}
