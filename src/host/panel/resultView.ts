import { contentText, type ToolResultContent, type ToolResultPart } from '../../engine/chat/message.js';
import { textBegin } from '../../engine/chat/textBegin.js';
import { INLINE_TEXT_BYTES } from '../../engine/run/largeTexts.js';
import type { ToolResultView } from '../../protocol/toolCalls.js';

/** Bytes of a token: results are code and prose mostly. The row says that it is an estimate. */
const BYTES_PER_TOKEN = 4;

/** A tool result as the panel shows it: only the beginning of a large one, whether or not it is kept as a blob. */
export function resultView({ content }: Pick<ToolResultPart, 'content'>): Omit<ToolResultView, 'messageId'> {
  const text = content.map(contentText).join('\n');
  const bytes = content.reduce((sum, item) => sum + sizeOf(item), Math.max(0, content.length - 1));
  const tokens = Math.ceil(bytes / BYTES_PER_TOKEN);
  if (bytes <= INLINE_TEXT_BYTES) {
    return { text, cut: null, tokens };
  }
  const begin = textBegin(text);
  return { text: begin, cut: { characters: Array.from(begin).length, bytes }, tokens };
}

/** In UTF-8 bytes. */
function sizeOf(content: ToolResultContent): number {
  return content.type === 'blob' ? content.bytes : Buffer.byteLength(contentText(content), 'utf8');
}
