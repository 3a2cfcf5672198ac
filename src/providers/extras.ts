import { MAX_REPLY_BYTES } from '../engine/chat/message/reply.js';
import type { IncomingExtra } from '../engine/model/model.js';

/** Maximum number of sources and images in a reply. Protects memory from a server that never stops. */
const MOST_EXTRAS = 200;

/** Collects the sources and images of a reply without duplicates. A repeated source can supply a missing title. */
export class Extras {
  readonly #all: IncomingExtra[] = [];
  /** Indexes in `#all`, by the address of the source, or by the title of a source without an address. */
  readonly #sources = new Map<string, number>();
  #bytes = 0;

  take(extras: readonly IncomingExtra[]): void {
    for (const extra of extras) {
      const at = this.#placeOf(extra);
      const known = this.#all[at];
      if (known === undefined) {
        this.#add(extra);
      } else if (known.type === 'source' && known.title === '') {
        this.#all[at] = extra;
      }
    }
  }

  get all(): readonly IncomingExtra[] {
    return [...this.#all];
  }

  #placeOf(extra: IncomingExtra): number {
    return extra.type === 'source'
      ? (this.#sources.get(keyOf(extra)) ?? -1)
      : this.#all.findIndex((known) => known.type === 'image' && Buffer.compare(known.bytes, extra.bytes) === 0);
  }

  #add(extra: IncomingExtra): void {
    const bytes = this.#bytes + (extra.type === 'source' ? extra.url.length + extra.title.length : extra.bytes.length);
    if (this.#all.length >= MOST_EXTRAS || bytes > MAX_REPLY_BYTES) {
      return;
    }
    this.#bytes = bytes;
    this.#all.push(extra);
    if (extra.type === 'source') {
      this.#sources.set(keyOf(extra), this.#all.length - 1);
    }
  }
}

type SourceExtra = Extract<IncomingExtra, { readonly type: 'source' }>;

function keyOf({ url, title }: SourceExtra): string {
  return url === '' ? title : url;
}

/** Returns a source with address or title, or nothing when both are missing. */
export function source(url: string | null, title: string | null): SourceExtra[] {
  return (url ?? '') === '' && (title ?? '') === '' ? [] : [{ type: 'source', url: url ?? '', title: title ?? '' }];
}

export function document(title: string): SourceExtra {
  return { type: 'source', url: '', title };
}
