/** Length of a preview in UTF-16 units: about a dozen lines, enough to recognize the text. */
export const PREVIEW_LENGTH = 1_000;

/** Returns the beginning of a text, cut between code points. */
export function textBegin(text: string): string {
  return text.slice(0, betweenPoints(text, PREVIEW_LENGTH));
}

/** Returns `at`, or `at - 1` if a cut at `at` would split a surrogate pair. */
export function betweenPoints(text: string, at: number): number {
  const code = text.codePointAt(at - 1) ?? 0;
  return at > 0 && at < text.length && code > 0xffff ? at - 1 : at;
}
