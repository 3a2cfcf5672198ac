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
    this.#pieces.push(chunk.length > this.#mostBytes ? chunk.subarray(-this.#mostBytes) : chunk);
    this.#isCut ||= chunk.length > this.#mostBytes;
    this.#bytes += Math.min(chunk.length, this.#mostBytes);
    this.#endsLine = chunk.at(-1) === 10;
    for (let first = this.#pieces[0]; first !== undefined && this.#bytes - first.length >= this.#mostBytes; first = this.#pieces[0]) {
      this.#pieces.shift();
      this.#bytes -= first.length;
      this.#isCut = true;
    }
    // Many small pieces cost more than their bytes.
    if (this.#pieces.length > 1_000) {
      this.#pieces = [Buffer.concat(this.#pieces)];
    }
  }

  /** A line of Loupe's own. */
  note(text: string): void {
    this.write(Buffer.from(`${this.#endsLine ? '' : '\n'}[Loupe] ${text}\n`));
  }

  /** The last lines. The first one is whole: a part of it might be a part of a secret that nobody would know for one. */
  text(): string {
    const all = Buffer.concat(this.#pieces).toString('utf8');
    return this.#isCut ? all.slice(all.indexOf('\n') + 1) : all;
  }
}
