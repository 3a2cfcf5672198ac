import type { BlobContent } from '../chat/message.js';

/** Texts of tools that are kept as blobs, as a model gets them, by SHA-256. */
export type ResultTexts = ReadonlyMap<string, string>;

/**
 * A text of a tool goes to a model whole up to this many UTF-8 bytes: some 64,000 tokens, a third of a window of
 * 200,000. More would leave little room for what was asked, and one result more would be over the budget.
 */
export const SENT_RESULT_BYTES = 256 * 1024;

/** Of a longer one both ends are sent: what it is stands at its begin, and what it came to often at its end. */
const SENT_END_BYTES = SENT_RESULT_BYTES / 2;

/** UTF-8 has at most this many bytes for a UTF-16 unit. */
const MOST_BYTES_PER_UNIT = 3;

/** Whether a model gets only the ends of a text. */
export function isCutForModel(text: string): boolean {
  const isSurelyShort = text.length * MOST_BYTES_PER_UNIT <= SENT_RESULT_BYTES;
  return !isSurelyShort && (text.length > SENT_RESULT_BYTES || new TextEncoder().encode(text).length > SENT_RESULT_BYTES);
}

/** A tool's text as a model gets it: whole, or its ends and between them how much is left out. Cuts no character. */
export function textForModel(text: string): string {
  return isCutForModel(text) ? utf8ForModel(new TextEncoder().encode(text)) : text;
}

/** The same from the text's UTF-8 bytes, which may be too many to be one string. */
export function utf8ForModel(utf8: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  if (utf8.length <= SENT_RESULT_BYTES) {
    return decoder.decode(utf8);
  }
  const headEnd = characterStart(utf8, SENT_END_BYTES, -1);
  const tailStart = characterStart(utf8, utf8.length - SENT_END_BYTES, 1);
  const [left, whole] = [tailStart - headEnd, utf8.length].map((bytes) => bytes.toLocaleString('en-US'));
  const mark = `[${left} bytes of this result are left out here: it has ${whole}.]`;
  return `${decoder.decode(utf8.subarray(0, headEnd))}\n\n${mark}\n\n${decoder.decode(utf8.subarray(tailStart))}`;
}

/** What stands in the place of a text that cannot be read. */
export function missingResultNote({ bytes, preview }: BlobContent): string {
  return `(The text of this result, ${bytes.toLocaleString('en-US')} bytes, is missing. It began:)\n${preview}`;
}

/** The first place from `at` on, in steps of `step`, where a character begins. */
function characterStart(utf8: Uint8Array, at: number, step: 1 | -1): number {
  let start = at;
  // What begins with these two bits continues a character.
  while ((utf8[start] ?? 0) >> 6 === 0b10) {
    start += step;
  }
  return start;
}
