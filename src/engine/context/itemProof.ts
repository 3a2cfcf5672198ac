import type { AttemptState } from '../chat/slices/attempts.js';
import { withDifference } from '../request/difference.js';
import { FULL_MANIFEST_EVERY, type ContextRecord } from '../request/manifest.js';
import { contextRecordsOf } from '../request/rebuild.js';
import { itemKey } from './item.js';

/** In how many of a chat's requests for replies an item was. */
export interface ItemProof {
  /** All whose record can be read. */
  readonly requests: number;
  readonly held: number;
}

type Attempts = ReadonlyMap<string, AttemptState>;

/** Counts, for the items of one chat, the requests that held them whole. Each attempt is read once. */
export class ItemProofs {
  #attempts: Attempts | null = null;
  #read = 0;
  #requests = 0;
  readonly #held = new Map<string, number>();
  /** The context of the latest requests, by attempt: the next one is recorded as a difference to one of them. */
  readonly #latest = new Map<string, readonly ContextRecord[]>();

  /** The figures of an item, by its key. Attempts are only ever added, unless the chat was loaded anew. */
  of(key: string, attempts: Attempts): ItemProof {
    if (this.#attempts !== attempts || attempts.size < this.#read) {
      this.#attempts = attempts;
      this.#read = 0;
      this.#requests = 0;
      this.#held.clear();
      this.#latest.clear();
    }
    const unread = [...attempts.values()].slice(this.#read);
    for (const attempt of unread.filter(({ purpose }) => purpose === 'reply')) {
      this.#count(attempt, attempts);
    }
    this.#read = attempts.size;
    return { requests: this.#requests, held: this.#held.get(key) ?? 0 };
  }

  #count(attempt: AttemptState, attempts: Attempts): void {
    const { base, context } = attempt.manifest;
    const before = base === null ? [] : this.#latest.get(base);
    const records = before === undefined ? contextRecordsOf(attempt, attempts) : withDifference(before, context);
    if (records === null) {
      return;
    }
    this.#requests += 1;
    this.#latest.set(attempt.id, records);
    const [oldest] = this.#latest.keys();
    if (this.#latest.size > FULL_MANIFEST_EVERY && oldest !== undefined) {
      this.#latest.delete(oldest);
    }
    for (const { item, leftOut, cut } of records) {
      if (leftOut === null && cut === undefined) {
        this.#held.set(itemKey(item), (this.#held.get(itemKey(item)) ?? 0) + 1);
      }
    }
  }
}
