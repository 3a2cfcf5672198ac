/** Length of a preview in UTF-16 units: a dozen lines, enough to know the text by. */
export const PREVIEW_LENGTH = 1_000;

/** The begin of a text, cut between code points. */
export function textBegin(text: string): string {
  const isCutInPair = /[\ud800-\udbff]/.test(text.charAt(PREVIEW_LENGTH - 1)) && /[\udc00-\udfff]/.test(text.charAt(PREVIEW_LENGTH));
  return text.slice(0, isCutInPair ? PREVIEW_LENGTH - 1 : PREVIEW_LENGTH);
}
