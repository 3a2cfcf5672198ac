import type { FileRead } from '../../../engine/context/fileContents.js';

/** Texts that were read, up to a size in bytes. Those that were asked for longest ago are forgotten. */
export class RecentTexts {
  readonly #mostBytes: number;
  /** The one that was asked for last is the last. */
  readonly #texts = new Map<string, FileRead>();

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get(key: string): FileRead | null {
    const read = this.#texts.get(key);
    if (read === undefined) {
      return null;
    }
    this.#texts.delete(key);
    this.#texts.set(key, read);
    return read;
  }

  set(key: string, read: FileRead): void {
    this.#texts.delete(key);
    this.#texts.set(key, read);
    let bytes = [...this.#texts.values()].reduce((sum, text) => sum + bytesOf(text), 0);
    for (const [oldest, text] of this.#texts) {
      if (bytes <= this.#mostBytes || oldest === key) {
        return;
      }
      this.#texts.delete(oldest);
      bytes -= bytesOf(text);
    }
  }
}

function bytesOf(read: FileRead): number {
  return read.ok ? read.bytes : 0;
}
