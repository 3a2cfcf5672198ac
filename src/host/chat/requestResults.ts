import { contentsOf } from '../../engine/chat/contents.js';
import type { SentMessage, ToolResultPart } from '../../engine/chat/message.js';
import type { LoupeError } from '../../engine/errors.js';
import { utf8ForModel, type ResultTexts } from '../../engine/request/resultText.js';
import type { Blobs } from '../../storage/blobs.js';
import { LatestBlobs } from './latestBlobs.js';

/** Characters of results that stay in memory: several windows of a million tokens, beyond which nothing can be sent. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;

/**
 * Loads the texts of tools that are kept as blobs. They stay in memory in the form that is sent, so that a preview at
 * each key reads nothing.
 */
export class RequestResults {
  readonly #blobs: Blobs;
  readonly #latest: LatestBlobs;

  constructor(blobs: Blobs, logError: (error: LoupeError) => void) {
    this.#blobs = blobs;
    this.#latest = new LatestBlobs({ blobs, logError, kept: KEPT_CHARACTERS, form: utf8ForModel });
  }

  /** The texts as they are sent, by SHA-256. Never rejects: one that cannot be read is not among them. */
  load(messages: readonly SentMessage[]): Promise<ResultTexts> {
    return this.#latest.load(blobNames(messages));
  }

  /** All that a tool answered, an image as the word for it. Rejects with `storage` when some of it cannot be read. */
  async whole({ content }: ToolResultPart): Promise<string> {
    const texts = content.map(async (item) => {
      switch (item.type) {
        case 'text':
          return item.text;
        case 'image':
          return '(image)';
        case 'blob':
          return Buffer.from(await this.#blobs.get(item.blob)).toString('utf8');
      }
    });
    return (await Promise.all(texts)).join('\n');
  }
}

function blobNames(messages: readonly SentMessage[]): ReadonlySet<string> {
  return new Set(contentsOf(messages).flatMap((part) => (part.type === 'blob' ? [part.blob] : [])));
}
