import { ClosingTag, type EndTag } from './closingTag.js';
import { REASONING_TAGS } from './reasoningTags.js';

/** A piece of a content: text, reasoning between tags, or the tag that ends reasoning without a tag before it. */
export type TaggedPiece =
  /** `tag` is the name of the tags around reasoning; null for text. */
  | { readonly tag: string | null; readonly text: string }
  /** All text before was reasoning. `text` is the tag as the content has it. */
  | { readonly ends: string; readonly text: string };

/** Most white space in characters before a tag. What is held back is looked at again with each piece, so it has a limit. */
const MOST_BLANK = 1_000;

/**
 * Takes reasoning in tags out of a streamed content. Tags at the very begin count, and a first tag that closes (see `ClosingTag`):
 * others are what the model writes about. What may be the begin of a tag is held back until it is known.
 */
export class ThinkTags {
  /** `watched` is a text in which a tag may end reasoning. */
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

  /** What is still held back, when a call follows or the reply ends. */
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
    // A tag before which nothing was said, as of a server that has taken the reasoning out, is dropped.
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

/** Whether the first text may go on to a tag, or is one that closes with nothing after it yet. */
function mayBecomeTag(text: string): boolean {
  return REASONING_TAGS.some((name) => `<${name}>`.startsWith(text) || `</${name}>`.startsWith(text) || text.trimEnd() === `</${name}>`);
}

/** How much of the end of a text may be the begin of a tag. */
function heldLength(text: string, tag: string): number {
  const longest = Math.min(text.length, tag.length - 1);
  return Array.from({ length: longest }, (_, shorter) => longest - shorter).find((length) => text.endsWith(tag.slice(0, length))) ?? 0;
}
