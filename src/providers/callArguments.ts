import { parseJson } from '../engine/json.js';
import { ObjectEnd } from '../engine/objectEnd.js';

export interface TakenArguments {
  readonly text: string;
  /** The start of a second object after the arguments, which belongs to the next call, or ''. */
  readonly next: string;
}

/**
 * Collects the arguments of one tool call: a JSON object that arrives in pieces. Some servers differ:
 * - They repeat all earlier arguments in each piece, or all arguments at the end. After `{"a":`, the piece `{"a":1}`
 * can be a repeat or the value of `a`. The next piece or the end of the call decides.
 * - They first send an empty object and then the real object. So this class holds back the closing brace of an empty
 * object.
 * - They send a second object, which belongs to the next call.
 */
export class CallArguments {
  #text = '';
  #held: string | null = null;
  #repeats = false;
  /** The part of an empty object that is not in `#text` yet: the whole object, or its closing brace. */
  #emptyEnd = '';
  #end = new ObjectEnd();

  get isComplete(): boolean {
    return this.#end.isReached;
  }

  /** Whether the arguments are an empty object so far. The real object may follow. */
  get isEmptyObject(): boolean {
    return this.#emptyEnd !== '';
  }

  is(text: string): boolean {
    return this.#text + this.#emptyEnd === text;
  }

  take(piece: string): TakenArguments {
    const held = this.#held;
    this.#held = null;
    if (held === null) {
      return this.#takeNext(piece);
    }
    this.#repeats = piece.startsWith(held);
    if (this.#repeats) {
      return this.#replace(piece);
    }
    const before = this.#append(held);
    if (before.next !== '') {
      return { text: before.text, next: before.next + piece };
    }
    const { text, next } = this.#takeNext(piece);
    return { text: before.text + text, next };
  }

  end(): string {
    const held = this.#held;
    this.#held = null;
    if (held === null) {
      return this.#rest();
    }
    const isRepeat = parseJson(this.#text + held) === undefined && parseJson(held) !== undefined;
    const { text, next } = isRepeat ? this.#replace(held) : this.#append(held);
    return text + this.#rest() + next;
  }

  #takeNext(piece: string): TakenArguments {
    if (this.#end.isReached) {
      return this.#takeAfterEnd(piece);
    }
    // Compares the lengths first, because `startsWith` on the growing text copies the text.
    const mayRepeat = this.#text !== '' && piece.length >= this.#text.length && piece.startsWith('{') && piece.startsWith(this.#text);
    if (!mayRepeat) {
      return this.#append(piece);
    }
    if (this.#repeats) {
      return this.#replace(piece);
    }
    this.#held = piece;
    return { text: '', next: '' };
  }

  /** Replaces the arguments by `whole`, which repeats the text so far. */
  #replace(whole: string): TakenArguments {
    return this.#append(whole.slice(this.#text.length));
  }

  #append(piece: string): TakenArguments {
    const length = this.#end.find(piece);
    if (length === null) {
      this.#text += piece;
      return { text: piece, next: '' };
    }
    const last = piece.slice(0, length);
    const text = !this.#end.isEmpty ? last : this.#text === '' ? '' : last.slice(0, -1);
    this.#emptyEnd = last.slice(text.length);
    this.#text += text;
    const after = this.#takeAfterEnd(piece.slice(length));
    return { text: text + after.text, next: after.next };
  }

  #takeAfterEnd(piece: string): TakenArguments {
    const next = this.#withoutRepeats(piece);
    if (next === '' || next.trimEnd() === '{}') {
      return { text: '', next: '' };
    }
    if (!next.startsWith('{')) {
      // Passes invalid JSON on unchanged, so that the model gets an error.
      const text = this.#rest() + piece;
      this.#end.giveUp();
      this.#text += piece;
      return { text, next: '' };
    }
    if (this.#emptyEnd === '') {
      return { text: '', next };
    }
    this.#emptyEnd = '';
    this.#end = new ObjectEnd();
    // If the caller already has the opening brace of the empty object, this brace becomes the start of the real object.
    this.#end.find(this.#text);
    return this.#append(this.#text === '' ? next : next.slice(1));
  }

  /** Removes white space and repeats of the complete arguments from the start of a piece. */
  #withoutRepeats(piece: string): string {
    const whole = this.#text + this.#emptyEnd;
    let rest = piece.trimStart();
    while (rest.length >= whole.length && rest.startsWith(whole)) {
      rest = rest.slice(whole.length).trimStart();
    }
    return rest;
  }

  #rest(): string {
    const rest = this.#emptyEnd;
    this.#emptyEnd = '';
    this.#text += rest;
    return rest;
  }
}
