import type * as Sdk from '@anthropic-ai/sdk/resources/messages';
import type { Block, Breakpoint } from '../../engine/model/block.js';

type Markable = Sdk.TextBlockParam | Sdk.ImageBlockParam | Sdk.ToolUseBlockParam | Sdk.ToolResultBlockParam | Sdk.Tool;
export type Content = Markable | Sdk.ThinkingBlockParam | Sdk.RedactedThinkingBlockParam;

/**
 * The wire form of blocks, with their cache breakpoints. Three kinds of block cannot carry a breakpoint: thinking and deferred
 * tools (the API refuses it), and a block that is left out (`toContent` gives null). Their breakpoint moves to the nearest
 * earlier block of the list that can carry it. It is dropped when there is none, or when that block has one already.
 * This only makes the cached prefix shorter, never wrong.
 */
export function markedContent<T extends Content>(blocks: readonly Block[], toContent: (block: Block) => T | null): T[] {
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

function markLast(contents: Content[], { ttl }: Breakpoint): void {
  const at = contents.findLastIndex(isMarkable);
  const content = contents[at];
  if (content !== undefined && isMarkable(content) && content.cache_control === undefined) {
    contents[at] = { ...content, cache_control: cacheControl(ttl) };
  }
}

/** Five minutes is the API's default, so it is not sent. */
function cacheControl(ttl: Breakpoint['ttl']): Sdk.CacheControlEphemeral {
  return ttl === '1h' ? { type: 'ephemeral', ttl } : { type: 'ephemeral' };
}

function isMarkable(content: Content): content is Markable {
  const isDeferred = 'defer_loading' in content && content.defer_loading;
  return content.type !== 'thinking' && content.type !== 'redacted_thinking' && !isDeferred;
}
