import { failIfAborted, failure, type LoupeError, toLoupeError } from '../../../engine/errors.js';
import type { ImagePart } from '../../../engine/model/part.js';
import { raceAbort } from '../../../engine/run/abortRace.js';
import { imageHeader } from './imageFile.js';

/** An image that the user adds to a message. */
export interface NewImage {
  readonly name: string;
  /** Rejects with a `LoupeError` that says why the image cannot be read. */
  readonly read: () => Promise<Uint8Array>;
}

/** The chat whose folder stores the image. */
export interface ImageTarget {
  readonly id: string;
  readonly records: { keepBlob(bytes: Uint8Array): Promise<string> };
}

/** The draft that gets the images. */
export interface ImageDrafts {
  get(chatId: string): { readonly images: readonly ImagePart[] };
  addImage(chatId: string, image: ImagePart): void;
  /** `added` resolves to whether all images were added. Sending the draft waits for it. */
  awaitImages(chatId: string, added: Promise<boolean>): void;
}

/**
 * Adds images to the draft of a chat, one after the other. Returns a sentence for each image that was not added. On
 * abort, throws `cancelled` and keeps the added images.
 */
export async function addImages(
  chat: ImageTarget,
  images: readonly NewImage[],
  drafts: ImageDrafts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const image of images) {
    failIfAborted(signal, 'file.addingCancelled');
    try {
      const stored = await unlessCancelled(storedImage(chat, image), signal);
      drafts.addImage(chat.id, { ...stored, name: freeName(image.name, drafts.get(chat.id).images) });
    } catch (thrown) {
      notes.push(noteOf(toLoupeError(thrown)));
    }
  }
  return notes;
}

/** Awaits `adding`. On abort, throws `cancelled` at once: a read from a slow disk can hang, and cannot be stopped. */
export async function unlessCancelled<T>(adding: Promise<T>, signal: AbortSignal): Promise<T> {
  const outcome = await raceAbort(
    adding.then((value) => ({ value })),
    signal,
  );
  if (outcome === 'aborted') {
    throw failure('file.addingCancelled');
  }
  return outcome.value;
}

/** Returns the sentence about an image that cannot be added. Throws an error that is no fault of the image. */
function noteOf(error: LoupeError): string {
  if (error.kind !== 'invalidInput') {
    throw error;
  }
  return error.message;
}

/** Adds a number to a name that another image of the draft has: two pasted images have the same name. */
function freeName(name: string, images: readonly ImagePart[]): string {
  const taken = new Set(images.map((image) => image.name));
  let number = 1;
  let free = name;
  while (taken.has(free)) {
    number += 1;
    free = `${name} ${String(number)}`;
  }
  return free;
}

/** Checks an image and stores it in the chat's folder. Throws a `LoupeError`. */
export async function storedImage({ records }: Pick<ImageTarget, 'records'>, { name, read }: NewImage): Promise<ImagePart> {
  const bytes = await read();
  const { mimeType, width, height } = await imageHeader(bytes, name);
  return { type: 'image', blob: await records.keepBlob(bytes), mimeType, bytes: bytes.length, width, height, name };
}
