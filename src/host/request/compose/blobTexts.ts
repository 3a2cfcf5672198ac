import { contentsOf } from '../../../engine/chat/message/contents.js';
import type { SentMessage } from '../../../engine/chat/message/message.js';
import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { PromptImages } from '../../../engine/model/model.js';
import type { OutsideContents } from '../../../engine/request/adapt/adaptedParts.js';
import { utf8ForModel, type ResultTexts } from '../../../engine/request/resultText.js';
import type { Blobs } from '../../../storage/blobs.js';
import { sameStart } from '../../../engine/same.js';

export interface BlobTextsPorts {
  readonly blobs: Pick<Blobs, 'get'>;
  readonly logError: (error: LoupeError) => void;
}

type BlobNames = Readonly<Record<'image' | 'blob', ReadonlySet<string>>>;

type BlobKind = 'image' | 'result' | 'copy';

/** How each kind of blob is kept in memory. `mostCharacters` is more than one request can contain. */
const KINDS: Readonly<Record<BlobKind, { readonly mostCharacters: number; encode(bytes: Uint8Array): string }>> = {
  // Enough for dozens of large pictures in Base64.
  image: { mostCharacters: 64 * 1024 * 1024, encode: (bytes) => Buffer.from(bytes).toString('base64') },
  result: { mostCharacters: 16 * 1024 * 1024, encode: utf8ForModel },
  copy: { mostCharacters: 16 * 1024 * 1024, encode: (bytes) => Buffer.from(bytes).toString('utf8') },
};

const NO_TEXTS: ReadonlyMap<string, string> = new Map();

const NONE_MISSING: ReadonlySet<string> = new Set();

/** The blobs of a chat's requests. The latest are kept in memory, so that a preview at a key press reads no files. */
export class BlobTexts {
  readonly #ports: BlobTextsPorts;
  readonly #latest = new Map<BlobKind, ReadonlyMap<string, string>>();
  readonly #told = new Set<string>();
  /** The blobs of all messages but the newest one, from the last call of `of`. */
  #older: { readonly messages: readonly SentMessage[]; readonly names: BlobNames } = { messages: [], names: blobNames([]) };

  constructor(ports: BlobTextsPorts) {
    this.#ports = ports;
  }

  /** Returns the blobs of these messages. Omits and logs unreadable blobs. */
  async of(messages: readonly SentMessage[]): Promise<OutsideContents & { readonly images: PromptImages }> {
    const names = this.#namesIn(messages);
    const images = await this.load('image', names.image);
    const missingImages = images.size === names.image.size ? NONE_MISSING : new Set([...names.image].filter((name) => !images.has(name)));
    return { images, missingImages, resultTexts: await this.load('result', names.blob) };
  }

  /** Returns the names of the blobs of messages. At a key press, only the newest message is read. */
  #namesIn(messages: readonly SentMessage[]): BlobNames {
    const older = messages.slice(0, -1);
    const known = this.#older;
    const isKnown = known.messages.length === older.length && sameStart(known.messages, older) === older.length;
    const { names } = isKnown ? known : { names: blobNames(older) };
    this.#older = { messages: older, names };
    const newest = blobNames(messages.slice(-1));
    return newest.image.size + newest.blob.size === 0
      ? names
      : { image: new Set([...names.image, ...newest.image]), blob: new Set([...names.blob, ...newest.blob]) };
  }

  results(messages: readonly SentMessage[]): Promise<ResultTexts> {
    return this.load('result', blobNames(messages).blob);
  }

  /** Returns the text of these blobs, by SHA-256. Never rejects: unreadable blobs are omitted. */
  async load(kind: BlobKind, names: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    if (names.size === 0) {
      this.#latest.delete(kind);
      return NO_TEXTS;
    }
    const found = new Map<string, string>();
    for (const name of names) {
      const blob = this.#latest.get(kind)?.get(name) ?? (await this.#read(kind, name));
      if (blob !== null) {
        found.set(name, blob);
      }
    }
    this.#latest.set(kind, firstOf(found, KINDS[kind].mostCharacters));
    return found;
  }

  async #read(kind: BlobKind, name: string): Promise<string | null> {
    try {
      return KINDS[kind].encode(await this.#ports.blobs.get(name));
    } catch (thrown) {
      if (!this.#told.has(name)) {
        this.#told.add(name);
        this.#ports.logError(toLoupeError(thrown));
      }
      return null;
    }
  }
}

/** Returns the names of image blobs and tool result blobs. */
function blobNames(messages: readonly SentMessage[]): BlobNames {
  const names = { image: new Set<string>(), blob: new Set<string>() };
  for (const part of contentsOf(messages)) {
    if (part.type === 'image' || part.type === 'blob') {
      names[part.type].add(part.blob);
    }
  }
  return names;
}

function firstOf(blobs: ReadonlyMap<string, string>, kept: number): ReadonlyMap<string, string> {
  let room = kept;
  const first = [...blobs].filter(([, blob]) => {
    room -= blob.length;
    return room >= 0;
  });
  return new Map(first);
}
