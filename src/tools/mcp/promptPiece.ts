import type { ContentBlock } from '@modelcontextprotocol/client';
import { sizeText } from './limits.js';
import type { McpPromptPiece } from './mcpEntries.js';
import { linkText, resourceText } from './toolResult.js';

/** A piece of a prompt as text. A message that the user writes has no other content. */
export function promptPiece(block: ContentBlock): McpPromptPiece {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'resource_link':
      return { text: linkText(block) };
    case 'image':
    case 'audio':
      return { noText: inWords(block.type, block.mimeType, block.data) };
    case 'resource': {
      const { resource } = block;
      return 'text' in resource
        ? { text: resourceText(resource) }
        : { noText: inWords(resource.uri, resource.mimeType ?? 'unknown type', resource.blob) };
    }
  }
}

function inWords(what: string, mimeType: string, base64: string): string {
  return `${what} (${mimeType}, ${sizeText(Buffer.byteLength(base64, 'base64'))})`;
}
