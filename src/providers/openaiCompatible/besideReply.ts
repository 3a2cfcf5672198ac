import type { ReceivedExtra } from '../../engine/model/replyExtra.js';
import type { Json } from '../../engine/json.js';
import { document, source } from '../extras.js';
import { itemsOf, member, textMember, wordsMember } from '../json.js';

/*
 * Sources and images beside the text of a reply. OpenRouter and OpenAI name sources in `annotations`, xAI and Perplexity
 * in `citations` of the chunk, Perplexity also with titles in `search_results`, Mistral in parts of the content. OpenRouter sends images in `images`;
 * others as parts of the content.
 */

/** The begin of an image within the message. One that only has an address counts as a source: Loupe fetches nothing of a model's. */
const DATA_URL = /^data:(image\/[a-z0-9.+-]{1,100});base64,/i;

/** What a chunk adds, with repeats: xAI and Perplexity send all their sources with each chunk. */
export function extrasIn(chunk: unknown, delta: unknown): ReceivedExtra[] {
  const content = itemsOf(member(delta, 'content'));
  return [
    ...itemsOf(member(chunk, 'search_results')).flatMap((result) => source(wordsMember(result, 'url'), wordsMember(result, 'title'))),
    ...itemsOf(member(chunk, 'citations')).flatMap((url) => source(typeof url === 'string' ? url : null, null)),
    ...itemsOf(member(delta, 'annotations')).flatMap((annotation) => {
      const cited = member(annotation, 'url_citation');
      return source(wordsMember(cited, 'url'), wordsMember(cited, 'title'));
    }),
    ...content.flatMap(reference),
    ...[...itemsOf(member(delta, 'images')), ...content].flatMap(image),
  ];
}

/**
 * Mistral's parts for sources. `reference` names documents by the numbers that the result of a tool gave them, `tool_reference` what a
 * tool of Mistral's found. https://docs.mistral.ai/capabilities/citations, and `referencechunk.ts` and `toolreferencechunk.ts` in
 * https://github.com/mistralai/client-ts/tree/main/src/models/components
 */
function reference(part: Json): ReceivedExtra[] {
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

function image(part: unknown): ReceivedExtra[] {
  const url = wordsMember(member(part, 'image_url'), 'url') ?? wordsMember(part, 'image_url');
  const [begin, mimeType] = DATA_URL.exec(url ?? '') ?? [];
  if (url === null || begin === undefined || mimeType === undefined) {
    return source(url, null);
  }
  const bytes = Buffer.from(url.slice(begin.length), 'base64');
  return bytes.length === 0 ? [] : [{ type: 'image', mimeType, bytes }];
}
