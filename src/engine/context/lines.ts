/* Lines of a file. Each line ends with a line feed, except perhaps the last line. */

export function lineCount(text: string): number {
  return fullLines(text, text.length) + (text === '' || text.endsWith('\n') ? 0 : 1);
}

/** Returns the number of lines that end within the first `characters` characters. */
export function fullLines(text: string, characters: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < characters; at = text.indexOf('\n', at + 1)) {
    lines += 1;
  }
  return lines;
}

/** Returns the first `lines` lines of a text with their line ends, or the whole text when it has fewer lines. */
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
