import { MAX_REPLY_BYTES } from '../engine/chat/message/reply.js';
import type { ReplySource } from '../engine/model/model.js';

/** Maximum number of sources of a reply. Protects memory from a server that never stops. */
const MOST_EXTRAS = 200;

/** Collects the sources of a reply without duplicates. A repeated source can supply a missing title. */
export class Extras {
  /** Sources by address, or by title for a source without an address. */
  readonly #sources = new Map<string, ReplySource>();
  #length = 0;

  take(sources: readonly ReplySource[]): void {
    for (const each of sources) {
      const key = keyOf(each);
      const known = this.#sources.get(key);
      if (known === undefined) {
        this.#add(key, each);
      } else if (known.title === '') {
        this.#sources.set(key, each);
      }
    }
  }

  get all(): readonly ReplySource[] {
    return [...this.#sources.values()];
  }

  #add(key: string, added: ReplySource): void {
    const length = this.#length + added.url.length + added.title.length;
    if (this.#sources.size >= MOST_EXTRAS || length > MAX_REPLY_BYTES) {
      return;
    }
    this.#length = length;
    this.#sources.set(key, added);
  }
}

function keyOf({ url, title }: ReplySource): string {
  return url === '' ? title : url;
}

/** Returns a source with address or title, or nothing when both are missing. */
export function source(url: string | null, title: string | null): ReplySource[] {
  return (url ?? '') === '' && (title ?? '') === '' ? [] : [{ type: 'source', url: url ?? '', title: title ?? '' }];
}

export function document(title: string): ReplySource {
  return { type: 'source', url: '', title };
}
