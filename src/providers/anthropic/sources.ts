import type { ReplySource } from '../../engine/model/model.js';
import type { Json } from '../../engine/json.js';
import { document, source } from '../extras.js';
import { count, itemsOf, member, textMember, wordsMember } from '../json.js';

/*
 * Sources of a reply: citations in its texts, and results of the provider's own search and fetch tools.
 * https://docs.anthropic.com/en/docs/build-with-claude/citations,
 * https://docs.anthropic.com/en/docs/build-with-claude/search-results and the pages of the tools `web_search` and
 * `web_fetch`. The names of members are those in `messages.d.ts` of @anthropic-ai/sdk.
 */

/** Returns the source of a citation, or nothing for an unknown kind. */
export function citedSource(citation: unknown): ReplySource[] {
  switch (textMember(citation, 'type')) {
    case 'web_search_result_location':
      return source(wordsMember(citation, 'url'), wordsMember(citation, 'title'));
    case 'search_result_location':
      return source(wordsMember(citation, 'source'), wordsMember(citation, 'title'));
    case 'char_location':
    case 'page_location':
    case 'content_block_location': {
      const number = count(member(citation, 'document_index'));
      return [document(wordsMember(citation, 'document_title') ?? (number === null ? 'A document' : `Document ${String(number + 1)}`))];
    }
    default:
      return [];
  }
}

/** Returns the sources in the first event of a content block: citations, or results of a tool. */
export function sourcesOf(block: unknown): ReplySource[] {
  const content = member(block, 'content');
  switch (textMember(block, 'type')) {
    case 'text':
      return itemsOf(member(block, 'citations')).flatMap(citedSource);
    case 'web_search_tool_result':
      return itemsOf(content).flatMap(found);
    case 'web_fetch_tool_result':
      return source(wordsMember(content, 'url'), wordsMember(member(content, 'content'), 'title'));
    default:
      return [];
  }
}

function found(result: Json): ReplySource[] {
  return source(wordsMember(result, 'url'), wordsMember(result, 'title'));
}
