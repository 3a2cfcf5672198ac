import type { ToolResultContent, ToolResultPart } from '../model/part.js';
import { textBegin } from '../chat/message/textBegin.js';
import { toLoupeError } from '../errors.js';
import type { StoredText } from '../record/item.js';
import type { RunInput } from './input.js';
import type { MadeEdit, ToolEdit } from '../chat/calls/toolEdit.js';

type BlobKeeper = Pick<RunInput, 'keepBlob' | 'reportError'>;

/** Maximum UTF-8 bytes of a text in a log line. Longer texts become blobs, because opening a chat reads all lines. */
export const INLINE_TEXT_BYTES = 16 * 1024;

/**
 * Returns a result in its logged form, with its large texts as blobs. A blob is on the disk before the log line that
 * names it. The blob has U+FFFD for each lone surrogate, like the request body: UTF-8 cannot contain them.
 *
 * When a blob cannot be stored, the error is reported and the text stays in the result. The line is long, but nothing
 * is lost. If the line cannot be written either, the journal keeps it in memory and the user sees a banner.
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

/** Returns a text in its logged form: inline, or as a blob. See `withLargeTextsKept`. */
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

/**
 * Returns changes of files in their logged form, with the earlier copies as blobs. A blob is on the disk before the log
 * line that names it. If a copy cannot be stored, the error is reported, and the log says that it is missing.
 */
export async function storeEdits(edits: readonly MadeEdit[], input: Pick<RunInput, 'keepBlob' | 'reportError'>): Promise<ToolEdit[]> {
  const kept: ToolEdit[] = [];
  for (const edit of edits) {
    kept.push(await keptEdit(edit, input));
  }
  return kept;
}

async function keptEdit(
  { earlier, ...edit }: MadeEdit,
  { keepBlob, reportError }: Pick<RunInput, 'keepBlob' | 'reportError'>,
): Promise<ToolEdit> {
  if (earlier === null) {
    return { ...edit, blob: null };
  }
  try {
    return { ...edit, blob: await keepBlob(earlier) };
  } catch (thrown) {
    reportError(toLoupeError(thrown));
    return { ...edit, blob: null, noCopy: 'notKept' };
  }
}
