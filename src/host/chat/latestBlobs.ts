import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Blobs } from '../../storage/blobs.js';

export interface LatestBlobsPorts {
  readonly blobs: Pick<Blobs, 'get'>;
  /** The form in which the bytes are kept. */
  readonly form: (bytes: Uint8Array) => string;
  /** Characters of them that stay in memory. */
  readonly kept: number;
  readonly logError: (error: LoupeError) => void;
}

/** Blobs of one sort that the requests of a chat hold. Those of the latest request stay in memory for the next one. */
export class LatestBlobs {
  readonly #ports: LatestBlobsPorts;
  #latest: ReadonlyMap<string, string> = new Map();
  /** Those whose loss is in the log already. */
  readonly #told = new Set<string>();

  constructor(ports: LatestBlobsPorts) {
    this.#ports = ports;
  }

  /** The blobs by SHA-256. Never rejects: one that cannot be read is not among them. */
  async load(names: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const name of names) {
      const blob = this.#latest.get(name) ?? (await this.#read(name));
      if (blob !== null) {
        found.set(name, blob);
      }
    }
    this.#latest = firstOf(found, this.#ports.kept);
    return found;
  }

  async #read(name: string): Promise<string | null> {
    try {
      return this.#ports.form(await this.#ports.blobs.get(name));
    } catch (thrown) {
      if (!this.#told.has(name)) {
        this.#told.add(name);
        this.#ports.logError(toLoupeError(thrown));
      }
      return null;
    }
  }
}

/** As many as there is room for, in characters. */
function firstOf(blobs: ReadonlyMap<string, string>, kept: number): ReadonlyMap<string, string> {
  let room = kept;
  const first = [...blobs].filter(([, blob]) => {
    room -= blob.length;
    return room >= 0;
  });
  return new Map(first);
}
