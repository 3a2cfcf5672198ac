import type { ToolResultContent, ToolResultPart } from '../chat/message.js';
import { textBegin } from '../chat/textBegin.js';
import { toLoupeError } from '../errors.js';
import type { RunInput } from './input.js';

/** A tool's text of more UTF-8 bytes than this goes to a blob: a chat opens and is searched by reading all its lines. */
export const INLINE_RESULT_BYTES = 16 * 1024;

/**
 * A result as it is logged: its large texts are kept as blobs, on the disk before the line that names them. In a blob
 * lone surrogates are U+FFFD, as on the wire: UTF-8 has none. A text that cannot be kept so stays in the result: the
 * line is long then, but nothing is lost, and when the disk does not take the line either, the journal keeps it in
 * memory and says so. The failure is reported.
 */
export async function withLargeTextsKept(result: ToolResultPart, input: RunInput): Promise<ToolResultPart> {
  const content: ToolResultContent[] = [];
  for (const item of result.content) {
    content.push(item.type === 'text' ? await keptText(item.text, input) : item);
  }
  return { ...result, content };
}

async function keptText(text: string, { keepBlob, reportError }: RunInput): Promise<ToolResultContent> {
  const utf8 = new TextEncoder().encode(text);
  if (utf8.length > INLINE_RESULT_BYTES) {
    try {
      return { type: 'blob', blob: await keepBlob(utf8), bytes: utf8.length, preview: textBegin(text) };
    } catch (thrown) {
      reportError(toLoupeError(thrown));
    }
  }
  return { type: 'text', text };
}
