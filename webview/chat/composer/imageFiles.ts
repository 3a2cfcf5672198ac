import { MOST_ADDED_BYTES, MOST_ADDED_IMAGES, MOST_ADDED_TOGETHER } from '../../../src/protocol/images.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { fileSize } from '../../shared/numbers.js';
import { keepRecent, type Thumbnail, thumbnailOf } from './recentImages.js';

/** The name of an image from the clipboard, which has no file. Browsers call it `image.png`. */
export const PASTED = 'Pasted image';

/** Maximum number of sentences about files that were not added. */
const MOST_NOTES = 1_000;

type ReadImages = Pick<Extract<ToHost, { readonly type: 'addImages' }>, 'images' | 'notAdded'>;

export interface ChosenImage {
  readonly file: File;
  readonly name: string;
  readonly thumbnail: Thumbnail;
}

interface ChosenImages {
  readonly images: readonly ChosenImage[];
  /** A sentence for each file that the panel does not read. */
  readonly notAdded: readonly string[];
}

export function isImage({ type }: Pick<File, 'type'>): boolean {
  return type.startsWith('image/');
}

/** Chooses the images of a paste or drop, in order, and begins to make their thumbnails. */
export function chooseImages(files: readonly File[], nameOf: (file: File) => string): ChosenImages {
  const images: ChosenImage[] = [];
  const notAdded: string[] = [];
  let total = 0;
  for (const file of files) {
    const name = nameOf(file) === '' ? PASTED : nameOf(file);
    const problem = problemOf(file, { count: images.length, total });
    if (problem === null) {
      images.push({ file, name, thumbnail: thumbnailOf(file) });
      total += file.size;
    } else {
      notAdded.push(`${name} ${problem}`);
    }
  }
  return { images, notAdded };
}

/** Reads the chosen images, in order. Names an image that cannot be read with the reason. Never rejects. */
export async function readImages(chosen: ChosenImages): Promise<ReadImages> {
  const images: ReadImages['images'] = [];
  const notAdded = [...chosen.notAdded];
  for (const { file, name, thumbnail } of chosen.images) {
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      void keepRecent(thumbnail, bytes);
      images.push({ name, bytes });
    } catch (thrown) {
      notAdded.push(`${name} cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
  return { images, notAdded: notAdded.slice(0, MOST_NOTES) };
}

/** Returns the end of the sentence why the panel does not read a file. Null for an image. `read`: earlier images. */
function problemOf(file: File, read: { readonly count: number; readonly total: number }): string | null {
  if (!isImage(file)) {
    return 'is not an image. Add it with the + button.';
  }
  if (file.size > MOST_ADDED_BYTES) {
    return `is too large (limit ${fileSize(MOST_ADDED_BYTES)}).`;
  }
  return read.count === MOST_ADDED_IMAGES || read.total + file.size > MOST_ADDED_TOGETHER
    ? `was not added, because it is one of too many images at once (limit ${String(MOST_ADDED_IMAGES)} images and ${fileSize(MOST_ADDED_TOGETHER)}).`
    : null;
}
