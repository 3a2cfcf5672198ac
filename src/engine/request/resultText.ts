import type { BlobContent, Part } from '../model/part.js';

/** The tool texts stored as blobs, in the form that is sent (`textForModel`), by SHA-256. */
export type ResultTexts = ReadonlyMap<string, string>;

/**
 * Maximum size of a tool text that is sent in full, in UTF-8 bytes: about 64,000 tokens, a third of a context window of
 * 200,000. A larger text would leave little room for everything else, and a second such text would exceed the budget.
 */
export const SENT_RESULT_BYTES = 256 * 1024;

/** Number of bytes sent from each end of a longer text. The beginning shows its kind, the end often the outcome. */
const SENT_END_BYTES = SENT_RESULT_BYTES / 2;

const MOST_BYTES_PER_UNIT = 3;

/** Whether Loupe sends only the two ends of a text. */
export function isCutForModel(text: string): boolean {
  const isSurelyShort = text.length * MOST_BYTES_PER_UNIT <= SENT_RESULT_BYTES;
  return !isSurelyShort && (text.length > SENT_RESULT_BYTES || new TextEncoder().encode(text).length > SENT_RESULT_BYTES);
}

/** Returns a tool text as it is sent: in full, or both ends with a note between them. Cuts between code points. */
export function textForModel(text: string): string {
  return isCutForModel(text) ? utf8ForModel(new TextEncoder().encode(text)) : text;
}

/** Does the same as `textForModel` for UTF-8 bytes, which may be too many for one string. */
export function utf8ForModel(utf8: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  if (utf8.length <= SENT_RESULT_BYTES) {
    return decoder.decode(utf8);
  }
  const headEnd = characterStart(utf8, SENT_END_BYTES, -1);
  const tailStart = characterStart(utf8, utf8.length - SENT_END_BYTES, 1);
  const left = (tailStart - headEnd).toLocaleString('en-US');
  const all = utf8.length.toLocaleString('en-US');
  const mark = `[${left} bytes of this result are left out here: it has ${all}.]`;
  return `${decoder.decode(utf8.subarray(0, headEnd))}\n\n${mark}\n\n${decoder.decode(utf8.subarray(tailStart))}`;
}

export function lacksText(part: Part, results: ResultTexts): boolean {
  return part.type === 'toolResult' && part.content.some((item) => item.type === 'blob' && !results.has(item.blob));
}

export function missingResultNote({ bytes, preview }: BlobContent): string {
  return `(The text of this result, ${bytes.toLocaleString('en-US')} bytes, is missing. It began:)\n${preview}`;
}

/** Returns the first index at which a code point begins, searching from `at` in steps of `step`. */
function characterStart(utf8: Uint8Array, at: number, step: 1 | -1): number {
  let start = at;
  // A byte that begins with these two bits continues a code point.
  while ((utf8[start] ?? 0) >> 6 === 0b10) {
    start += step;
  }
  return start;
}
