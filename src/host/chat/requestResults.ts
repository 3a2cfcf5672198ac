import { contentsOf } from '../../engine/chat/contents.js';
import type { SentMessage, ToolResultPart } from '../../engine/chat/message.js';
import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import { utf8ForModel, type ResultTexts } from '../../engine/prompt/resultText.js';
import type { Blobs } from '../../storage/blobs.js';

/** Characters of results that stay in memory: several windows of a million tokens, beyond which nothing can be sent. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;

/**
 * Loads the texts of tools that are kept as blobs. Those of the latest request stay in memory for the next one, in the
 * form that is sent, so that a preview at each key reads nothing.
 */
export class RequestResults {
  readonly #blobs: Blobs;
  readonly #logError: (error: LoupeError) => void;
  #latest: ResultTexts = new Map();
  /** Those whose loss is in the log already. */
  readonly #told = new Set<string>();

  constructor(blobs: Blobs, logError: (error: LoupeError) => void) {
    this.#blobs = blobs;
    this.#logError = logError;
  }

  /** The texts as they are sent, by SHA-256. Never rejects: one that cannot be read is not among them. */
  async load(messages: readonly SentMessage[]): Promise<ResultTexts> {
    const texts = new Map<string, string>();
    for (const name of blobNames(messages)) {
      const text = this.#latest.get(name) ?? (await this.#read(name));
      if (text !== null) {
        texts.set(name, text);
      }
    }
    this.#latest = firstOf(texts);
    return texts;
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

  async #read(name: string): Promise<string | null> {
    try {
      return utf8ForModel(await this.#blobs.get(name));
    } catch (thrown) {
      if (!this.#told.has(name)) {
        this.#told.add(name);
        this.#logError(toLoupeError(thrown));
      }
      return null;
    }
  }
}

function blobNames(messages: readonly SentMessage[]): ReadonlySet<string> {
  return new Set(contentsOf(messages).flatMap((part) => (part.type === 'blob' ? [part.blob] : [])));
}

/** As many as may stay in memory. */
function firstOf(texts: ResultTexts): ResultTexts {
  let room = KEPT_CHARACTERS;
  const kept = [...texts].filter(([, text]) => {
    room -= text.length;
    return room >= 0;
  });
  return new Map(kept);
}
