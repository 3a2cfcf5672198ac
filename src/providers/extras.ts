import { MAX_REPLY_BYTES } from '../engine/chat/message/reply.js';
import type { ReceivedExtra } from '../engine/model/replyExtra.js';

/** Most sources and images of a reply: far more than anyone looks at. A server that never stops must not fill memory. */
const MOST_EXTRAS = 200;

/** The extras of a reply, each once. A source that comes again with a title gets it. What goes beyond the limits is left out. */
export class Extras {
  readonly #all: ReceivedExtra[] = [];
  /** Where each source stands in `#all`, by its address, or its title without one. */
  readonly #sources = new Map<string, number>();
  #bytes = 0;

  take(extras: readonly ReceivedExtra[]): void {
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

  get all(): readonly ReceivedExtra[] {
    return [...this.#all];
  }

  #placeOf(extra: ReceivedExtra): number {
    return extra.type === 'source'
      ? (this.#sources.get(keyOf(extra)) ?? -1)
      : this.#all.findIndex((known) => known.type === 'image' && Buffer.compare(known.bytes, extra.bytes) === 0);
  }

  #add(extra: ReceivedExtra): void {
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

type Source = Extract<ReceivedExtra, { readonly type: 'source' }>;

function keyOf({ url, title }: Source): string {
  return url === '' ? title : url;
}

/** A source with an address; one without an address or a title is none. */
export function source(url: string | null, title: string | null): Source[] {
  return (url ?? '') === '' && (title ?? '') === '' ? [] : [{ type: 'source', url: url ?? '', title: title ?? '' }];
}

/** A source that only has a title. */
export function document(title: string): Source {
  return { type: 'source', url: '', title };
}
