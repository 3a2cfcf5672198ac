import { contentsOf } from '../../engine/chat/contents.js';
import type { SentMessage } from '../../engine/chat/message.js';
import type { LoupeError } from '../../engine/errors.js';
import type { OutsideContents } from '../../engine/request/adaptedParts.js';
import { utf8ForModel } from '../../engine/request/resultText.js';
import type { PromptImages } from '../../engine/run/model.js';
import type { Blobs } from '../../storage/blobs.js';
import { LatestBlobs } from './latestBlobs.js';

/** Characters of images in memory, in Base64: some dozens of large pictures, about what providers take in a request. */
const KEPT_OF_IMAGES = 64 * 1024 * 1024;

/** Characters of results that stay in memory: several windows of a million tokens, beyond which nothing can be sent. */
const KEPT_OF_RESULTS = 16 * 1024 * 1024;

/** What a conversation holds outside the log, and the bytes of its images. */
export interface LoadedBlobs extends OutsideContents {
  readonly images: PromptImages;
}

/**
 * Loads what the requests of a chat hold of its blobs: images, and texts of tools. They stay in memory in the form that
 * is sent, so that a preview at each key reads nothing.
 */
export class RequestBlobs {
  readonly #images: LatestBlobs;
  readonly #results: LatestBlobs;

  constructor(blobs: Blobs, logError: (error: LoupeError) => void) {
    this.#images = new LatestBlobs({ blobs, logError, kept: KEPT_OF_IMAGES, form: base64 });
    this.#results = new LatestBlobs({ blobs, logError, kept: KEPT_OF_RESULTS, form: utf8ForModel });
  }

  /** Never rejects: an image that cannot be read is missing, and a text is not among the texts. */
  async load(messages: readonly SentMessage[]): Promise<LoadedBlobs> {
    const names = blobNames(messages, 'image');
    const images = await this.#images.load(names);
    const resultTexts = await this.#results.load(blobNames(messages, 'blob'));
    return { images, missingImages: new Set([...names].filter((name) => !images.has(name))), resultTexts };
  }
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** Those in tool results included. */
function blobNames(messages: readonly SentMessage[], type: 'image' | 'blob'): ReadonlySet<string> {
  return new Set(contentsOf(messages).flatMap((part) => (part.type === type && 'blob' in part ? [part.blob] : [])));
}
