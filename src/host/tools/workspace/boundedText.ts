/** The beginning and the end of a text that comes in pieces: what stands between them is left out, and said. */
export class BoundedText {
  readonly #half: number;
  #head = '';
  #tail = '';
  #characters = 0;

  /** `most` characters are kept. */
  constructor(most: number) {
    this.#half = Math.floor(most / 2);
  }

  /** Characters that were given. */
  get characters(): number {
    return this.#characters;
  }

  append(text: string): void {
    this.#characters += text.length;
    const room = this.#half - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail = (this.#tail + text.slice(Math.max(0, room))).slice(-this.#half);
  }

  toString(): string {
    const left = this.#characters - this.#head.length - this.#tail.length;
    return left === 0 ? this.#head + this.#tail : `${this.#head}\n(… ${String(left)} characters are left out here …)\n${this.#tail}`;
  }
}
