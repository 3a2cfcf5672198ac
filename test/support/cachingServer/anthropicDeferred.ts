import { invalid } from './refusal.js';
import { isTrue, items, member, stringMember, type WireNode } from './wireJson.js';

/*
 * Deferred tools: "Deferred tools are not included in the system-prompt prefix. When the model discovers a deferred
 * tool through tool search, the definition is appended inline as a tool_reference block in the conversation history.
 * The prefix is untouched, so prompt caching is preserved."
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-use-with-prompt-caching
 */

export function isDeferred(tool: WireNode): boolean {
  return isTrue(tool, 'defer_loading');
}

/** The deferred tools of a request by name. Throws a `Refusal` for invalid ones. */
export function deferredTools(request: WireNode): ReadonlyMap<string, WireNode> {
  const tools = items(request, 'tools');
  const deferred = new Map(tools.filter(isDeferred).map((tool) => [stringMember(tool, 'name') ?? '', tool]));
  if (deferred.size > 0 && deferred.size === tools.length) {
    throw invalid('At least one tool must have defer_loading=false. All tools cannot be deferred.');
  }
  for (const [name, tool] of deferred) {
    if (member(tool, 'cache_control') !== undefined) {
      throw invalid(
        `Tool '${name}' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.`,
      );
    }
  }
  for (const block of items(request, 'messages').flatMap((message) => items(message, 'content'))) {
    const unknown = items(block, 'content').find((part) => isReference(part) && !deferred.has(stringMember(part, 'tool_name') ?? ''));
    if (unknown !== undefined) {
      throw invalid(`Tool reference '${stringMember(unknown, 'tool_name') ?? ''}' not found in available tools`);
    }
  }
  return deferred;
}

export function isReference(part: WireNode): boolean {
  return stringMember(part, 'type') === 'tool_reference';
}
