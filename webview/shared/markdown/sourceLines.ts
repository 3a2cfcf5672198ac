/** The lines of a parsed text, from 0. */
export class SourceLines {
  readonly #text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#text = text;
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      starts.push(at + 1);
    }
    this.#starts = starts;
  }

  /** Whether the line has come with its end. */
  isWhole(line: number): boolean {
    return line < this.#starts.length - 1;
  }

  isBlank(line: number): boolean {
    return /^[ \t]*$/.test(this.#text.slice(this.offset(line), this.offset(line + 1)).replace('\n', ''));
  }

  /** Where the line begins; the length of the text for a line after its last. */
  offset(line: number): number {
    return this.#starts[line] ?? this.#text.length;
  }

  from(line: number): string {
    return this.#text.slice(this.offset(line));
  }
}
