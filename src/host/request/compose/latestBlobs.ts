import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { Blobs } from '../../../storage/blobs.js';

export interface LatestBlobsPorts {
  readonly blobs: Pick<Blobs, 'get'>;
  /** Converts the bytes of a blob to the text that is kept in memory. */
  readonly encode: (bytes: Uint8Array) => string;
  readonly maxCharacters: number;
  readonly logError: (error: LoupeError) => void;
}

/** Loads one kind of blob for the requests of a chat. Keeps the blobs of the latest request in memory. */
export class LatestBlobs {
  readonly #ports: LatestBlobsPorts;
  #latest: ReadonlyMap<string, string> = new Map();
  readonly #told = new Set<string>();

  constructor(ports: LatestBlobsPorts) {
    this.#ports = ports;
  }

  /** Returns the text of these blobs, by SHA-256. Never rejects: unreadable blobs are omitted. */
  async load(names: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const name of names) {
      const blob = this.#latest.get(name) ?? (await this.#read(name));
      if (blob !== null) {
        found.set(name, blob);
      }
    }
    this.#latest = firstOf(found, this.#ports.maxCharacters);
    return found;
  }

  async #read(name: string): Promise<string | null> {
    try {
      return this.#ports.encode(await this.#ports.blobs.get(name));
    } catch (thrown) {
      if (!this.#told.has(name)) {
        this.#told.add(name);
        this.#ports.logError(toLoupeError(thrown));
      }
      return null;
    }
  }
}

function firstOf(blobs: ReadonlyMap<string, string>, kept: number): ReadonlyMap<string, string> {
  let room = kept;
  const first = [...blobs].filter(([, blob]) => {
    room -= blob.length;
    return room >= 0;
  });
  return new Map(first);
}
