import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import { contentsOf } from '../../engine/chat/contents.js';
import type { SentMessage } from '../../engine/chat/message.js';
import type { PromptImages } from '../../engine/run/model.js';
import type { Blobs } from '../../storage/blobs.js';

/** The images of a conversation: bytes in Base64 by SHA-256, and those that cannot be read. */
export interface LoadedImages {
  readonly bytes: PromptImages;
  readonly missing: ReadonlySet<string>;
}

/** Loads the images that a chat's requests hold. Those of the latest request stay in memory for the next one. */
export class RequestImages {
  readonly #blobs: Blobs;
  readonly #logError: (error: LoupeError) => void;
  #latest: PromptImages = new Map();
  /** Those whose loss is in the log already. */
  readonly #told = new Set<string>();

  constructor(blobs: Blobs, logError: (error: LoupeError) => void) {
    this.#blobs = blobs;
    this.#logError = logError;
  }

  /** Never rejects: an image that cannot be read is missing. */
  async load(messages: readonly SentMessage[]): Promise<LoadedImages> {
    const bytes = new Map<string, string>();
    const missing = new Set<string>();
    for (const name of imageNames(messages)) {
      const image = this.#latest.get(name) ?? (await this.#read(name));
      if (image === null) {
        missing.add(name);
      } else {
        bytes.set(name, image);
      }
    }
    this.#latest = bytes;
    return { bytes, missing };
  }

  async #read(name: string): Promise<string | null> {
    try {
      return Buffer.from(await this.#blobs.get(name)).toString('base64');
    } catch (thrown) {
      if (!this.#told.has(name)) {
        this.#told.add(name);
        this.#logError(toLoupeError(thrown));
      }
      return null;
    }
  }
}

/** The blobs of all images, those in tool results included. */
function imageNames(messages: readonly SentMessage[]): ReadonlySet<string> {
  return new Set(contentsOf(messages).flatMap((part) => (part.type === 'image' ? [part.blob] : [])));
}
