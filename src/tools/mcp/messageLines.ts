const LINE_BREAK = 10;

/** Divides a stream of bytes into lines. Holds no more than one line of at most `mostBytes`. */
export class MessageLines {
  readonly #mostBytes: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The lines that these bytes complete, without their breaks, and the number of bytes of each. Null when a line is too long. */
  push(chunk: Uint8Array): readonly Buffer<ArrayBuffer>[] | null {
    const lines: Buffer<ArrayBuffer>[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LINE_BREAK); at !== -1; at = chunk.indexOf(LINE_BREAK, from)) {
      this.#keep(chunk.subarray(from, at));
      if (this.#bytes > this.#mostBytes) {
        return null;
      }
      lines.push(Buffer.concat(this.#pieces));
      this.clear();
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
    return this.#bytes > this.#mostBytes ? null : lines;
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }

  #keep(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }
}
