import { contentText, type ToolResultContent, type ToolResultPart } from '../../engine/chat/message.js';
import { textBegin } from '../../engine/chat/textBegin.js';
import { INLINE_TEXT_BYTES } from '../../engine/run/largeTexts.js';
import type { ToolResultsEntry } from '../../protocol/view.js';

type ResultView = ToolResultsEntry['results'][number];

/** A tool result as the panel shows it: only the beginning of a large one, whether or not it is kept as a blob. */
export function resultView({ callId, name, content, isError, synthetic }: ToolResultPart): ResultView {
  const text = content.map(contentText).join('\n');
  const bytes = content.reduce((sum, item) => sum + sizeOf(item), Math.max(0, content.length - 1));
  if (bytes <= INLINE_TEXT_BYTES) {
    return { callId, name, text, cut: null, isError, synthetic };
  }
  const begin = textBegin(text);
  return { callId, name, text: begin, cut: { characters: Array.from(begin).length, bytes }, isError, synthetic };
}

/** In UTF-8 bytes. */
function sizeOf(content: ToolResultContent): number {
  return content.type === 'blob' ? content.bytes : Buffer.byteLength(contentText(content), 'utf8');
}
