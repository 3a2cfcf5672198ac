/** A piece of a content: text, or reasoning between the tags of that name. */
export interface TaggedPiece {
  /** Null for text. */
  readonly tag: string | null;
  readonly text: string;
}

/**
 * Tags around reasoning at the begin of a content. DeepSeek's and Qwen's models write `think` where their server does
 * not take it out (Groq with `reasoning_format: raw`, MiniMax without `reasoning_split`, vLLM without a parser), MiniMax
 * M3 `mm:think`, and Gemini `thought` when it is asked for its thoughts.
 */
const TAGS = ['think', 'thought', 'mm:think'] as const;

/** Most white space in characters before a tag. What is held back is looked at again with each piece, so it has a limit. */
const MOST_BLANK = 1_000;

/**
 * Takes reasoning in tags out of a streamed content. Only tags at the very begin count: later ones are what the model
 * writes about. What may be the begin of a tag is held back until it is known.
 */
export class ThinkTags {
  #state: 'begin' | 'reasoning' | 'text' = 'begin';
  #tag: string | null = null;
  #held = '';

  take(piece: string): TaggedPiece[] {
    const text = this.#held + piece;
    this.#held = '';
    switch (this.#state) {
      case 'begin':
        return this.#begin(text);
      case 'reasoning':
        return this.#reasoning(text);
      case 'text':
        return text === '' ? [] : [{ tag: null, text }];
    }
  }

  /** What is still held back, when something else follows or the reply ends. */
  end(): TaggedPiece[] {
    const text = this.#held;
    this.#held = '';
    return text === '' ? [] : [{ tag: this.#tag, text }];
  }

  #begin(text: string): TaggedPiece[] {
    const said = text.trimStart();
    const tag = TAGS.find((name) => said.startsWith(`<${name}>`));
    if (tag !== undefined) {
      this.#state = 'reasoning';
      this.#tag = tag;
      return this.#reasoning(said.slice(tag.length + 2));
    }
    if (text.length <= MOST_BLANK && TAGS.some((name) => `<${name}>`.startsWith(said))) {
      this.#held = text;
      return [];
    }
    this.#state = 'text';
    return [{ tag: null, text }];
  }

  #reasoning(text: string): TaggedPiece[] {
    const close = `</${this.#tag ?? ''}>`;
    const at = text.indexOf(close);
    if (at === -1) {
      const kept = heldLength(text, close);
      this.#held = text.slice(text.length - kept);
      return kept === text.length ? [] : [{ tag: this.#tag, text: text.slice(0, text.length - kept) }];
    }
    const pieces = [
      { tag: this.#tag, text: text.slice(0, at) },
      { tag: null, text: text.slice(at + close.length) },
    ];
    this.#state = 'text';
    this.#tag = null;
    return pieces.filter((each) => each.text !== '');
  }
}

/** How much of the end of a text may be the begin of a tag. */
function heldLength(text: string, tag: string): number {
  const longest = Math.min(text.length, tag.length - 1);
  return Array.from({ length: longest }, (_, shorter) => longest - shorter).find((length) => text.endsWith(tag.slice(0, length))) ?? 0;
}
