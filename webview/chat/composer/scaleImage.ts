import type { ImageToScale } from '../../../src/protocol/images.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ScaledImage, WithMessageRow } from '../../../src/protocol/panel/composer.js';

/** Tried in this order. PNG keeps sharp text, and WebP is smaller. */
const FORMATS = ['image/png', 'image/webp'];
const QUALITY = 0.9;

/** Each further attempt has this share of the pixels per side. */
const STEP = 0.75;
const MOST_ATTEMPTS = 8;

/**
 * Scales an image of the draft down. Returns the message that replaces it, or null if its row no longer offers this.
 * Rejects if the browser cannot decode the image.
 */
export async function scaleImage({ chatId, blob, url }: ImageToScale, rows: readonly WithMessageRow[]): Promise<ToHost | null> {
  const scaled = rows.find(({ image }) => image?.blob === blob)?.scaled ?? null;
  if (scaled === null) {
    return null;
  }
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  return { type: 'replaceImage', chatId, blob, bytes: await smallerFile(picture, scaled) };
}

async function smallerFile(picture: HTMLImageElement, { longestEdge, mostBytes }: ScaledImage): Promise<Uint8Array<ArrayBuffer>> {
  const { naturalWidth: width, naturalHeight: height } = picture;
  const first = Math.min(1, longestEdge / Math.max(width, height));
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const scale = first * STEP ** attempt;
    const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
    const context = canvas.getContext('2d');
    if (context === null) {
      throw new Error('the browser has no canvas');
    }
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    for (const type of FORMATS) {
      const file = await canvas.convertToBlob({ type, quality: QUALITY });
      if (file.size <= mostBytes) {
        return new Uint8Array(await file.arrayBuffer());
      }
    }
  }
  throw new Error('the image stays too large');
}
