import { MAX_REPLY_BYTES } from '../../engine/chat/reply.js';
import type { ReceivedExtra } from '../../engine/chat/replyExtra.js';
import { itemsOf, member, wordsMember } from '../json.js';

/*
 * Sources and images beside the text of a reply. OpenRouter and OpenAI name sources in `annotations`, xAI and Perplexity
 * in `citations` of the chunk, Perplexity also with titles in `search_results`. OpenRouter sends images in `images`;
 * others as parts of the content.
 */

/** The begin of an image within the message. One that only has an address is told as a source: Loupe fetches nothing of a model's. */
const DATA_URL = /^data:(image\/[a-z0-9.+-]{1,100});base64,/i;

/** What a chunk adds, with repeats: xAI and Perplexity send all their sources with each chunk. */
export function extrasIn(chunk: unknown, delta: unknown): ReceivedExtra[] {
  return [
    ...itemsOf(member(chunk, 'search_results')).flatMap((result) => source(wordsMember(result, 'url'), wordsMember(result, 'title'))),
    ...itemsOf(member(chunk, 'citations')).flatMap((url) => source(typeof url === 'string' ? url : null, null)),
    ...itemsOf(member(delta, 'annotations')).flatMap((annotation) => {
      const cited = member(annotation, 'url_citation');
      return source(wordsMember(cited, 'url'), wordsMember(cited, 'title'));
    }),
    ...[...itemsOf(member(delta, 'images')), ...itemsOf(member(delta, 'content'))].flatMap(image),
  ];
}

function source(url: string | null, title: string | null): ReceivedExtra[] {
  return url === null || url === '' ? [] : [{ type: 'source', url, title: title ?? '' }];
}

function image(part: unknown): ReceivedExtra[] {
  const url = wordsMember(member(part, 'image_url'), 'url') ?? wordsMember(part, 'image_url');
  const [begin, mimeType] = DATA_URL.exec(url ?? '') ?? [];
  if (url === null || begin === undefined || mimeType === undefined) {
    return source(url, null);
  }
  const bytes = Buffer.from(url.slice(begin.length), 'base64');
  return bytes.length === 0 ? [] : [{ type: 'image', mimeType, bytes }];
}

/** Most sources and images of a reply: far more than anyone looks at. A server that never stops must not fill memory. */
const MOST_EXTRAS = 200;

/** The extras of a reply, each once. A source that comes again with a title gets it. What goes beyond the limits is left out. */
export class Extras {
  readonly #all: ReceivedExtra[] = [];
  /** Where each source stands in `#all`, by its address. */
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
      ? (this.#sources.get(extra.url) ?? -1)
      : this.#all.findIndex((known) => known.type === 'image' && Buffer.compare(known.bytes, extra.bytes) === 0);
  }

  #add(extra: ReceivedExtra): void {
    const bytes = this.#bytes + (extra.type === 'source' ? extra.url.length : extra.bytes.length);
    if (this.#all.length >= MOST_EXTRAS || bytes > MAX_REPLY_BYTES) {
      return;
    }
    this.#bytes = bytes;
    this.#all.push(extra);
    if (extra.type === 'source') {
      this.#sources.set(extra.url, this.#all.length - 1);
    }
  }
}
