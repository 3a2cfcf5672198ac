import { contentsOf } from '../../../engine/chat/message/contents.js';
import type { SentMessage } from '../../../engine/chat/message/message.js';
import type { OutsideContents } from '../../../engine/request/adapt/adaptedParts.js';
import { utf8ForModel, type ResultTexts } from '../../../engine/request/resultText.js';
import type { PromptImages } from '../../../engine/model/model.js';
import { LatestBlobs, type LatestBlobsPorts } from './latestBlobs.js';

/** Maximum characters of Base64 images in memory. This is enough for dozens of large pictures, as in one request. */
const KEPT_OF_IMAGES = 64 * 1024 * 1024;

/** Maximum characters of tool results in memory. This is more than one request can contain. */
const KEPT_OF_RESULTS = 16 * 1024 * 1024;

/** The blobs of messages in a request. They are kept in memory, so that a preview at each key press reads no files. */
export class MessageBlobs {
  readonly #images: LatestBlobs;
  readonly #results: LatestBlobs;

  constructor(from: Pick<LatestBlobsPorts, 'blobs' | 'logError'>) {
    this.#images = new LatestBlobs({ ...from, maxCharacters: KEPT_OF_IMAGES, encode: base64 });
    this.#results = new LatestBlobs({ ...from, maxCharacters: KEPT_OF_RESULTS, encode: utf8ForModel });
  }

  /** Returns the blobs of these messages. Unreadable ones are omitted and logged. */
  async of(messages: readonly SentMessage[]): Promise<OutsideContents & { readonly images: PromptImages }> {
    const names = blobNames(messages);
    const images = await this.#images.load(names.image);
    const missingImages = new Set([...names.image].filter((name) => !images.has(name)));
    return { images, missingImages, resultTexts: await this.#results.load(names.blob) };
  }

  results(messages: readonly SentMessage[]): Promise<ResultTexts> {
    return this.#results.load(blobNames(messages).blob);
  }
}

/** Returns the names of image blobs and tool result blobs. One pass for both, because it runs at each key press. */
function blobNames(messages: readonly SentMessage[]): Readonly<Record<'image' | 'blob', ReadonlySet<string>>> {
  const names = { image: new Set<string>(), blob: new Set<string>() };
  for (const part of contentsOf(messages)) {
    if (part.type === 'image' || part.type === 'blob') {
      names[part.type].add(part.blob);
    }
  }
  return names;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
