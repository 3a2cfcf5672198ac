import { parseJson } from '../../engine/json.js';

/**
 * The arguments of one tool call while they arrive: a JSON object in pieces. Some servers repeat: they send all arguments
 * so far with each piece, or the whole arguments once more at the end. A piece that begins with all that came before is
 * such a repeat, or the begin of a member of the same name (`{"a":` and then `{"a":1}`). It is held back until the next
 * piece, or the end, shows which.
 */
export class CallArguments {
  #text = '';
  #held: string | null = null;
  #repeats = false;
  /** Whether the text ends as a JSON object does. Testing it with each piece would read all of it each time. */
  #endsInBrace = false;

  /** Whether nothing can follow: the arguments are a whole JSON value. */
  get isComplete(): boolean {
    return this.#endsInBrace && parseJson(this.#text) !== undefined;
  }

  is(text: string): boolean {
    return this.#text === text;
  }

  /** Takes a piece. Returns what is new. */
  take(piece: string): string {
    const held = this.#held;
    this.#held = null;
    if (held === null) {
      return this.#takeNext(piece);
    }
    this.#repeats = piece.startsWith(held);
    return this.#repeats ? this.#replace(piece) : this.#append(held) + this.#takeNext(piece);
  }

  /** What was held back. */
  end(): string {
    const held = this.#held;
    this.#held = null;
    if (held === null) {
      return '';
    }
    const isRepeat = parseJson(this.#text + held) === undefined && parseJson(held) !== undefined;
    return isRepeat ? this.#replace(held) : this.#append(held);
  }

  #takeNext(piece: string): string {
    // The lengths first: to look into a text that grows copies it.
    const mayRepeat = this.#text !== '' && piece.length >= this.#text.length && piece.startsWith('{') && piece.startsWith(this.#text);
    if (!mayRepeat) {
      return this.#append(piece);
    }
    if (this.#repeats) {
      return this.#replace(piece);
    }
    this.#held = piece;
    return '';
  }

  #append(piece: string): string {
    this.#text += piece;
    this.#endsInBrace = piece.trim() === '' ? this.#endsInBrace : piece.trimEnd().endsWith('}');
    return piece;
  }

  /** `whole` begins with the text so far. */
  #replace(whole: string): string {
    return this.#append(whole.slice(this.#text.length));
  }
}
