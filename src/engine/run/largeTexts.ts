import type { ToolResultContent, ToolResultPart } from '../chat/message.js';
import { textBegin } from '../chat/textBegin.js';
import { toLoupeError } from '../errors.js';
import type { StoredText } from '../chat/storedText.js';
import type { RunInput } from './input.js';

/** What keeps large texts. */
type BlobKeeper = Pick<RunInput, 'keepBlob' | 'reportError'>;

/** A text of a tool or of the context with more UTF-8 bytes goes to a blob: a chat opens and is searched by reading all its lines. */
export const INLINE_TEXT_BYTES = 16 * 1024;

/**
 * A result as it is logged: its large texts are kept as blobs, on the disk before the line that names them. In a blob
 * lone surrogates are U+FFFD, as on the wire: UTF-8 has none. A text that cannot be kept so stays in the result: the
 * line is long then, but nothing is lost, and when the disk does not take the line either, the journal keeps it in
 * memory and says so. The failure is reported.
 */
export async function withLargeTextsKept(result: ToolResultPart, input: BlobKeeper): Promise<ToolResultPart> {
  const content: ToolResultContent[] = [];
  for (const item of result.content) {
    content.push(item.type === 'text' ? await keptText(item.text, input) : item);
  }
  return { ...result, content };
}

async function keptText(text: string, input: BlobKeeper): Promise<ToolResultContent> {
  const kept = await storedText(text, input);
  return 'inline' in kept ? { type: 'text', text } : { type: 'blob', ...kept, preview: textBegin(text) };
}

/** A text that is given with an item of the context, as it is logged: the same holds for it as for the texts of tools. */
export async function storedText(text: string, { keepBlob, reportError }: BlobKeeper): Promise<StoredText> {
  const utf8 = new TextEncoder().encode(text);
  if (utf8.length > INLINE_TEXT_BYTES) {
    try {
      return { blob: await keepBlob(utf8), bytes: utf8.length };
    } catch (thrown) {
      reportError(toLoupeError(thrown));
    }
  }
  return { inline: text };
}
