/** The end of what a server wrote beside its answers, and of what Loupe noticed about it. Not redacted: see `McpServer.log`. */
export class ServerLog {
  readonly #mostBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #isCut = false;
  #endsLine = true;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** What the server wrote, as it came: it may be cut within a line and within a character. */
  write(chunk: Buffer): void {
    if (chunk.length === 0) {
      return;
    }
    this.#pieces.push(chunk);
    this.#bytes += chunk.length;
    this.#endsLine = chunk.at(-1) === 10;
    // Many small pieces cost more than their bytes.
    if (this.#bytes > 2 * this.#mostBytes || this.#pieces.length > 1_000) {
      const end = this.#end();
      this.#pieces = [end];
      this.#bytes = end.length;
    }
  }

  /** A line of Loupe's own. */
  note(text: string): void {
    this.write(Buffer.from(`${this.#endsLine ? '' : '\n'}[Loupe] ${text}\n`));
  }

  /** The last lines. The first one is whole: a part of it might be a part of a secret that nobody would know for one. */
  text(): string {
    const end = this.#end().toString('utf8');
    const line = end.indexOf('\n');
    return !this.#isCut ? end : line === -1 ? '' : end.slice(line + 1);
  }

  /** The last bytes, and no more than the limit. */
  #end(): Buffer {
    this.#isCut ||= this.#bytes > this.#mostBytes;
    return Buffer.concat(this.#pieces).subarray(-this.#mostBytes);
  }
}
