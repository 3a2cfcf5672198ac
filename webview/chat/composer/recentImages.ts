/*
 * Thumbnails of images that the user just added. They appear at once, because the panel does not ask the host for the
 * image, and decodes it while the host stores it.
 */

/** Maximum number of kept thumbnails. The panel asks the host for an older image. */
const MOST_KEPT = 32;

/** Size of a thumbnail in pixels of a display with two pixels per CSS pixel. The style crops a longer side. */
const [WIDTH, HEIGHT] = [184, 120];

/** The data URL of a thumbnail. Null for an image that cannot be decoded: the host names its problem. */
export type Thumbnail = Promise<string | null>;

/** Thumbnails by the SHA-256 of the image, the oldest first. */
const kept = new Map<string, Thumbnail>();

/** Keeps the thumbnail of an image with these bytes. */
export async function keepRecent(thumbnail: Thumbnail, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  kept.set(Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join(''), thumbnail);
  for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) {
    kept.delete(oldest);
  }
}

export function thumbnailOf(file: File): Thumbnail {
  return drawn(file).catch(() => null);
}

async function drawn(file: File): Promise<string> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, Math.max(WIDTH / picture.width, HEIGHT / picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(picture.width * scale);
  canvas.height = Math.ceil(picture.height * scale);
  const context = canvas.getContext('2d');
  if (context === null) {
    throw new Error('the browser has no canvas');
  }
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas.toDataURL();
}

/** Returns the data URL of a kept thumbnail, or null. */
export function recentThumbnail(blob: string): Thumbnail {
  return kept.get(blob) ?? Promise.resolve(null);
}
