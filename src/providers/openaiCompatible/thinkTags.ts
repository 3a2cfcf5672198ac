import { ClosingTag, type EndTag, REASONING_TAGS } from './reasoningTags.js';

/** A piece of content: text, reasoning between tags, or a closing tag that has no opening tag. */
export type TaggedPiece =
  /** Text, or reasoning between tags. `tag` is the name of the tag, or null for text. */
  | { readonly tag: string | null; readonly text: string }
  /** A closing tag as the model wrote it. All earlier text was reasoning. */
  | { readonly ends: string; readonly text: string };

/** Maximum number of white space characters to hold back before a tag. Each new piece checks all held text again. */
const MOST_BLANK = 1_000;

/**
 * Separates reasoning in tags from streamed text. A tag at the start begins reasoning, up to its closing tag. A closing
 * tag alone can also end reasoning (see `ClosingTag`). Other tags are text. Holds a possible start of a tag back.
 */
export class ThinkTags {
  /** The place in the content. In `watched` text, a closing tag can still make the text reasoning. */
  #state: 'begin' | 'reasoning' | 'watched' | 'text' = 'begin';
  #tag: string | null = null;
  #held = '';
  readonly #closing = new ClosingTag();

  take(piece: string): TaggedPiece[] {
    const text = this.#held + piece;
    this.#held = '';
    switch (this.#state) {
      case 'begin':
        return this.#begin(text);
      case 'reasoning':
        return this.#reasoning(text);
      case 'watched':
        return this.#watched(text);
      case 'text':
        return texts(text);
    }
  }

  /** Returns the held text. Call this when a tool call follows or the reply ends. */
  end(next: 'call' | 'end'): TaggedPiece[] {
    const text = this.#held;
    this.#held = '';
    const tag = next === 'call' && this.#state !== 'reasoning' ? this.#closing.endBeforeCall(text) : null;
    return tag === null ? pieces(this.#tag, text) : this.#ended(tag);
  }

  #begin(text: string): TaggedPiece[] {
    const said = text.trimStart();
    const tag = REASONING_TAGS.find((name) => said.startsWith(`<${name}>`));
    if (tag !== undefined) {
      this.#state = 'reasoning';
      this.#tag = tag;
      return this.#reasoning(said.slice(tag.length + 2));
    }
    if (text.length <= MOST_BLANK && mayBecomeTag(said)) {
      this.#held = text;
      return [];
    }
    this.#state = 'watched';
    return this.#watched(text);
  }

  #watched(text: string): TaggedPiece[] {
    const { passed, held, ended } = this.#closing.look(text);
    this.#held = held;
    if (ended === null) {
      return texts(passed);
    }
    this.#state = 'text';
    // Drops a closing tag without text before it, because the server already removed the reasoning.
    const before = this.#closing.hasSaid ? [...texts(passed), ...this.#ended(ended.tag)] : [];
    return [...before, ...texts(ended.after)];
  }

  #ended({ name, text }: EndTag): TaggedPiece[] {
    return this.#closing.hasSaid ? [{ ends: name, text }] : [];
  }

  #reasoning(text: string): TaggedPiece[] {
    const close = `</${this.#tag ?? ''}>`;
    const at = text.indexOf(close);
    if (at === -1) {
      const kept = heldLength(text, close);
      this.#held = text.slice(text.length - kept);
      return kept === text.length ? [] : [{ tag: this.#tag, text: text.slice(0, text.length - kept) }];
    }
    const reasoning = pieces(this.#tag, text.slice(0, at));
    this.#state = 'text';
    this.#tag = null;
    return [...reasoning, ...texts(text.slice(at + close.length))];
  }
}

function texts(text: string): TaggedPiece[] {
  return pieces(null, text);
}

function pieces(tag: string | null, text: string): TaggedPiece[] {
  return text === '' ? [] : [{ tag, text }];
}

/** Whether the first text can become a tag, or is a closing tag without text after it so far. */
function mayBecomeTag(text: string): boolean {
  return REASONING_TAGS.some((name) => `<${name}>`.startsWith(text) || `</${name}>`.startsWith(text) || text.trimEnd() === `</${name}>`);
}

/** Returns the number of characters at the end of a text that may be the start of a tag. */
function heldLength(text: string, tag: string): number {
  const longest = Math.min(text.length, tag.length - 1);
  return Array.from({ length: longest }, (_, shorter) => longest - shorter).find((length) => text.endsWith(tag.slice(0, length))) ?? 0;
}
