/**
 * A cache of numbers by text, which evicts the least recently used texts. It limits the number of texts and their total
 * of characters (UTF-16 units). A text above the second limit is not cached.
 */
export class BoundedMemo {
  readonly #mostTexts: number;
  readonly #mostCharacters: number;
  /** In the order of their last use. */
  readonly #values = new Map<string, number>();
  #characters = 0;

  constructor(mostTexts: number, mostCharacters: number) {
    this.#mostTexts = mostTexts;
    this.#mostCharacters = mostCharacters;
  }

  get(text: string): number | undefined {
    const value = this.#values.get(text);
    if (value !== undefined) {
      this.#values.delete(text);
      this.#values.set(text, value);
    }
    return value;
  }

  set(text: string, value: number): void {
    if (text.length > this.#mostCharacters) {
      return;
    }
    this.#delete(text);
    this.#values.set(text, value);
    this.#characters += text.length;
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#mostTexts && this.#characters <= this.#mostCharacters) {
        break;
      }
      this.#delete(oldest);
    }
  }

  #delete(text: string): void {
    if (this.#values.delete(text)) {
      this.#characters -= text.length;
    }
  }
}
