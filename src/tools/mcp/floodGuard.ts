import type { FloodLimits } from './limits.js';

/** Counts what a server sends that nothing asked for. */
export class FloodGuard {
  readonly #limits: FloodLimits;
  #since = -Infinity;
  #messages = 0;
  #bytes = 0;

  constructor(limits: FloodLimits) {
    this.#limits = limits;
  }

  /** Counts a message of so many bytes at a time in ms. Returns what was too much, in words; null while it is not. */
  count(bytes: number, now: number): string | null {
    const { spanMs, messages, bytes: mostBytes } = this.#limits;
    if (now - this.#since > spanMs) {
      this.#since = now;
      this.#messages = 0;
      this.#bytes = 0;
    }
    this.#messages += 1;
    this.#bytes += bytes;
    const span = `within ${String(spanMs / 1000)} seconds that nothing asked for`;
    if (this.#messages > messages) {
      return `more than ${messages.toLocaleString('en')} messages ${span}`;
    }
    return this.#bytes > mostBytes ? `more than ${sizeText(mostBytes)} ${span}` : null;
  }
}

/** A size for people: `16 MiB`, `3.4 KiB`. */
export function sizeText(bytes: number): string {
  const [unit, size] = bytes < 1024 ** 2 ? ['KiB', 1024] : ['MiB', 1024 ** 2];
  return `${String(Math.round((bytes / size) * 10) / 10)} ${unit}`;
}
