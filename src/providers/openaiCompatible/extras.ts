import type { ReceivedExtra } from '../../engine/chat/replyExtra.js';
import { itemsOf, member, wordsMember } from '../json.js';

/*
 * Sources and images beside the text of a reply. OpenRouter and OpenAI name sources in `annotations`, xAI and Perplexity
 * in `citations` of the chunk, Perplexity also with titles in `search_results`. OpenRouter sends images in `images`;
 * others as parts of the content.
 */

/** An image within the message. One that only has an address is told as a source: Loupe fetches nothing of a model's. */
const DATA_URL = /^data:(image\/[a-z0-9.+-]+);base64,([A-Za-z0-9+/]+={0,2})$/i;

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
  const [, mimeType, base64] = DATA_URL.exec(url ?? '') ?? [];
  return mimeType === undefined || base64 === undefined ? source(url, null) : [{ type: 'image', mimeType, base64 }];
}

/** Most sources and images of a reply: far more than anyone looks at. A server that never stops must not fill memory. */
const MOST_EXTRAS = 200;

/** Most characters of them together, in Base64: a dozen large pictures. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** The extras of a reply, each once. A source that comes again with a title gets it. */
export class Extras {
  readonly #byKey = new Map<string, ReceivedExtra>();
  #characters = 0;

  take(extras: readonly ReceivedExtra[]): void {
    for (const extra of extras) {
      const key = extra.type === 'source' ? extra.url : extra.base64;
      const known = this.#byKey.get(key);
      const isTitled = known?.type === 'source' && known.title === '';
      const hasRoom = this.#byKey.size < MOST_EXTRAS && this.#characters + key.length <= MOST_CHARACTERS;
      if (known === undefined ? hasRoom : isTitled) {
        this.#characters += known === undefined ? key.length : 0;
        this.#byKey.set(key, extra);
      }
    }
  }

  get all(): readonly ReceivedExtra[] {
    return [...this.#byKey.values()];
  }
}
