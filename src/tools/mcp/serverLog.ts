/** The end of a server's error output, with Loupe's notes. May contain secrets: `McpServer.log` removes them. */
export class ServerLog {
  readonly #mostBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #isCut = false;
  #endsLine = true;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Appends output. A chunk can end inside of a line or a character. */
  write(chunk: Buffer): void {
    if (chunk.length === 0) {
      return;
    }
    this.#pieces.push(chunk);
    this.#bytes += chunk.length;
    this.#endsLine = chunk.at(-1) === 10;
    // Joins small pieces, because each piece needs more memory than its bytes.
    if (this.#bytes > 2 * this.#mostBytes || this.#pieces.length > 1_000) {
      const end = this.#end();
      this.#pieces = [end];
      this.#bytes = end.length;
    }
  }

  note(text: string): void {
    this.write(Buffer.from(`${this.#endsLine ? '' : '\n'}[Loupe] ${text}\n`));
  }

  /** Returns the end of the log. Omits a partial first line, because redaction could miss a part of a secret. */
  text(): string {
    const end = this.#end().toString('utf8');
    const line = end.indexOf('\n');
    return !this.#isCut ? end : line === -1 ? '' : end.slice(line + 1);
  }

  #end(): Buffer {
    this.#isCut ||= this.#bytes > this.#mostBytes;
    return Buffer.concat(this.#pieces).subarray(-this.#mostBytes);
  }
}
