import type { ReceivedExtra } from '../../engine/model/replyExtra.js';
import type { Json } from '../../engine/json.js';
import { document, source } from '../extras.js';
import { count, itemsOf, member, textMember, wordsMember } from '../json.js';

/*
 * The sources of a reply: what its texts cite, and what searches and fetches of the provider's own tools found.
 * https://docs.anthropic.com/en/docs/build-with-claude/citations, https://docs.anthropic.com/en/docs/build-with-claude/search-results
 * and the pages of the tools `web_search` and `web_fetch`; the members are those of `messages.d.ts` in @anthropic-ai/sdk.
 */

/** What a citation points to; nothing for an unknown kind. */
export function citedSource(citation: unknown): ReceivedExtra[] {
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

/** The sources that a content block begins with: its citations, where it comes whole, or what a tool found. */
export function sourcesOf(block: unknown): ReceivedExtra[] {
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

function found(result: Json): ReceivedExtra[] {
  return source(wordsMember(result, 'url'), wordsMember(result, 'title'));
}
