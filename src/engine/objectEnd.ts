/** Whether a text breaks off before or inside a JSON object. */
export function isUnfinishedObject(text: string): boolean {
  const end = new ObjectEnd();
  end.find(text);
  return end.isAwaited;
}

/** Finds the end of a JSON object that arrives in pieces. It looks at each character once. */
export class ObjectEnd {
  /** `none` for a text that is no single object. */
  #state: 'before' | 'inside' | 'reached' | 'none' = 'before';
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isEmpty = true;

  get isReached(): boolean {
    return this.#state === 'reached';
  }

  /** Whether the object has not ended, and may still do so. */
  get isAwaited(): boolean {
    return this.#state === 'before' || this.#state === 'inside';
  }

  /** Whether the object has nothing between its braces so far. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** How much of the next piece belongs to the object that ends in it; null when it does not end there. */
  find(piece: string): number | null {
    for (let at = 0; at < piece.length && this.#state !== 'none'; at += 1) {
      const character = piece.charAt(at);
      if (character.trim() !== '') {
        this.#take(character);
      }
      if (this.isReached) {
        return at + 1;
      }
    }
    return null;
  }

  /** The text is no single object. */
  giveUp(): void {
    this.#state = 'none';
  }

  #take(character: string): void {
    if (this.#state === 'before') {
      this.#state = character === '{' ? 'inside' : 'none';
      this.#depth = 1;
      return;
    }
    if (this.#isInString) {
      this.#takeInString(character);
      return;
    }
    if (character === '}' || character === ']') {
      this.#depth -= 1;
      this.#state = this.#depth === 0 ? 'reached' : 'inside';
      return;
    }
    this.#isEmpty = false;
    this.#isInString = character === '"';
    this.#depth += character === '{' || character === '[' ? 1 : 0;
  }

  #takeInString(character: string): void {
    this.#isInString = this.#isEscaped || character !== '"';
    this.#isEscaped = character === '\\' && !this.#isEscaped;
  }
}
