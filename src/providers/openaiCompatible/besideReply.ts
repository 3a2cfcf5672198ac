import type { ReceivedImage, ReplySource } from '../../engine/model/model.js';
import type { Json } from '../../engine/json.js';
import { document, source } from '../extras.js';
import { itemsOf, member, textMember, wordsMember } from '../json.js';

/*
 * Reads sources and images in a reply. Sources: `annotations` (OpenRouter, OpenAI), `citations` of the chunk (xAI,
 * Perplexity), `search_results` with titles (Perplexity), parts of the content (Mistral). Images: `images` (OpenRouter,
 * LiteLLM), or parts of the content (others). https://openrouter.ai/docs/features/multimodal/image-generation
 */

/** Matches the start of an embedded image. Loupe fetches no images, so the address of an image becomes a source. */
const DATA_URL = /^data:(image\/[a-z0-9.+-]{1,100});base64,/i;

/** Returns the sources in a chunk. xAI and Perplexity repeat all earlier sources with each chunk. */
export function sourcesIn(chunk: unknown, delta: unknown): ReplySource[] {
  const content = itemsOf(member(delta, 'content'));
  return [
    ...itemsOf(member(chunk, 'search_results')).flatMap((result) => source(wordsMember(result, 'url'), wordsMember(result, 'title'))),
    ...itemsOf(member(chunk, 'citations')).flatMap((url) => source(typeof url === 'string' ? url : null, null)),
    ...itemsOf(member(delta, 'annotations')).flatMap((annotation) => {
      const cited = member(annotation, 'url_citation');
      return source(wordsMember(cited, 'url'), wordsMember(cited, 'title'));
    }),
    ...content.flatMap(reference),
    ...[...itemsOf(member(delta, 'images')), ...content].flatMap(linkedImage),
  ];
}

/**
 * Returns sources from Mistral's parts. `reference` has the numbers of documents in a tool result. `tool_reference` has
 * a result of Mistral's own tools. https://docs.mistral.ai/capabilities/citations, and `referencechunk.ts` and
 * `toolreferencechunk.ts` in https://github.com/mistralai/client-ts/tree/main/src/models/components
 */
function reference(part: Json): ReplySource[] {
  switch (textMember(part, 'type')) {
    case 'reference':
      return itemsOf(member(part, 'reference_ids'))
        .filter((id) => typeof id === 'number' || typeof id === 'string')
        .map((id) => document(`Document ${String(id)} of a tool's results`));
    case 'tool_reference':
      return source(wordsMember(part, 'url'), wordsMember(part, 'title'));
    default:
      return [];
  }
}

function linkedImage(part: unknown): ReplySource[] {
  const url = addressOf(part);
  return url !== null && DATA_URL.test(url) ? [] : source(url, null);
}

/** Returns the image in a part of the content or of `images`. Null for other parts, and for an image at an address. */
export function imageIn(part: unknown): Pick<ReceivedImage, 'mimeType' | 'bytes'> | null {
  const url = addressOf(part);
  const [begin, mimeType] = DATA_URL.exec(url ?? '') ?? [];
  if (url === null || begin === undefined || mimeType === undefined) {
    return null;
  }
  const bytes = Buffer.from(url.slice(begin.length), 'base64');
  return bytes.length === 0 ? null : { mimeType: mimeType.toLowerCase(), bytes };
}

function addressOf(part: unknown): string | null {
  return wordsMember(member(part, 'image_url'), 'url') ?? wordsMember(part, 'image_url');
}
