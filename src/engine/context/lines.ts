/*
 * The lines of a file. Each ends with its line feed; the last one may have none.
 */

/** The number of lines of a text; 0 for an empty one. */
export function lineCount(text: string): number {
  return fullLines(text, text.length) + (text === '' || text.endsWith('\n') ? 0 : 1);
}

/** The number of lines that end within the first `characters` characters. */
export function fullLines(text: string, characters: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < characters; at = text.indexOf('\n', at + 1)) {
    lines += 1;
  }
  return lines;
}

/** The first `lines` lines of a text, each with its end; all of it when it has no more. */
export function firstLines(text: string, lines: number): string {
  let end = 0;
  for (let line = 0; line < lines; line += 1) {
    const next = text.indexOf('\n', end);
    if (next === -1) {
      return text;
    }
    end = next + 1;
  }
  return text.slice(0, end);
}
