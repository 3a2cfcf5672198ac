import type * as Sdk from '@anthropic-ai/sdk/resources/messages';
import type { Block, Breakpoint } from '../../engine/model/block.js';

type MarkableContent = Sdk.TextBlockParam | Sdk.ImageBlockParam | Sdk.ToolUseBlockParam | Sdk.ToolResultBlockParam | Sdk.Tool;
export type AnthropicContent = MarkableContent | Sdk.ThinkingBlockParam | Sdk.RedactedThinkingBlockParam;

/**
 * Converts blocks and sets their cache breakpoints. These blocks cannot have one: thinking and deferred tools (the API
 * refuses it), and omitted blocks (`toContent` returns null). Their breakpoint moves to the nearest earlier block that
 * can have one, or is dropped if that block already has one or does not exist. Then less is cached, but nothing is
 * wrong.
 */
export function contentWithBreakpoints<T extends AnthropicContent>(blocks: readonly Block[], toContent: (block: Block) => T | null): T[] {
  const contents: T[] = [];
  for (const block of blocks) {
    const content = toContent(block);
    if (content !== null) {
      contents.push(content);
    }
    if (block.breakpoint !== null) {
      markLast(contents, block.breakpoint);
    }
  }
  return contents;
}

function markLast(contents: AnthropicContent[], { ttl }: Breakpoint): void {
  const at = contents.findLastIndex(isMarkable);
  const content = contents[at];
  if (content !== undefined && isMarkable(content) && content.cache_control === undefined) {
    contents[at] = { ...content, cache_control: cacheControl(ttl) };
  }
}

/** Omits five minutes, because it is the API's default. */
function cacheControl(ttl: Breakpoint['ttl']): Sdk.CacheControlEphemeral {
  return ttl === '1h' ? { type: 'ephemeral', ttl } : { type: 'ephemeral' };
}

function isMarkable(content: AnthropicContent): content is MarkableContent {
  const isDeferred = 'defer_loading' in content && content.defer_loading;
  return content.type !== 'thinking' && content.type !== 'redacted_thinking' && !isDeferred;
}
