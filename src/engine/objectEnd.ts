/** Returns whether a text ends before or inside a JSON object. */
export function isUnfinishedObject(text: string): boolean {
  const end = new ObjectEnd();
  end.find(text);
  return end.isAwaited;
}

/** Finds the end of a JSON object that arrives in pieces. Each character is read once. */
export class ObjectEnd {
  /** `none`: the text is not a single JSON object. */
  #state: 'before' | 'inside' | 'reached' | 'none' = 'before';
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isEmpty = true;

  get isReached(): boolean {
    return this.#state === 'reached';
  }

  /** Whether the end of the object may still arrive. */
  get isAwaited(): boolean {
    return this.#state === 'before' || this.#state === 'inside';
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Returns how many characters of the piece belong to the object, if its end is in the piece. Null otherwise. */
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
