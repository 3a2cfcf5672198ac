import type { FileRead } from '../../../engine/context/fileContents.js';
import type { McpResourcePart } from '../../../tools/mcp/mcpEntries.js';
import { MAX_FILE_BYTES } from '../../context/files/readFile.js';
import { refused } from '../../context/files/refusal.js';

/** A resource as one text, by the rules for files: it stands among them in requests. */
export function resourceText(uri: string, parts: readonly McpResourcePart[]): FileRead {
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []));
  const content = texts.join('\n\n');
  if (texts.length < parts.length || content.includes('\0')) {
    return refused(uri, { code: 'binary' });
  }
  const bytes = Buffer.byteLength(content, 'utf8');
  return bytes > MAX_FILE_BYTES ? refused(uri, { code: 'tooLarge', bytes }) : { ok: true, content, bytes };
}
