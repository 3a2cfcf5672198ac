import { contentsOf } from '../../engine/chat/contents.js';
import type { SentMessage } from '../../engine/chat/message.js';
import type { LoupeError } from '../../engine/errors.js';
import type { PromptImages } from '../../engine/run/model.js';
import type { Blobs } from '../../storage/blobs.js';
import { LatestBlobs } from './latestBlobs.js';

/** Characters of images in memory, in Base64: some dozens of large pictures, about what providers take in a request. */
const KEPT_CHARACTERS = 64 * 1024 * 1024;

/** The images of a conversation: bytes in Base64 by SHA-256, and those that cannot be read. */
export interface LoadedImages {
  readonly bytes: PromptImages;
  readonly missing: ReadonlySet<string>;
}

/** Loads the images that a chat's requests hold. */
export class RequestImages {
  readonly #latest: LatestBlobs;

  constructor(blobs: Blobs, logError: (error: LoupeError) => void) {
    this.#latest = new LatestBlobs({ blobs, logError, kept: KEPT_CHARACTERS, form: (bytes) => Buffer.from(bytes).toString('base64') });
  }

  /** Never rejects: an image that cannot be read is missing. */
  async load(messages: readonly SentMessage[]): Promise<LoadedImages> {
    const names = imageNames(messages);
    const bytes = await this.#latest.load(names);
    return { bytes, missing: new Set([...names].filter((name) => !bytes.has(name))) };
  }
}

/** The blobs of all images, those in tool results included. */
function imageNames(messages: readonly SentMessage[]): ReadonlySet<string> {
  return new Set(contentsOf(messages).flatMap((part) => (part.type === 'image' ? [part.blob] : [])));
}
