import { REASONING_TAGS } from './reasoningTags.js';

/** Most white space in characters after a tag that is held back until it is known what follows. */
const MOST_BLANK = 1_000;

/** The part of a line that can tell whether it is a fence, in characters. */
const MOST_LINE = 1_000;

const ANY_TAG = new RegExp(`</?(?:${REASONING_TAGS.join('|')})>`);

/** A tag that closes, with nothing but white space around it. */
const CLOSING_ALONE = new RegExp(`^\\s*</(${REASONING_TAGS.join('|')})>\\s*$`);

/** What a piece of a text comes to. */
export interface LookedAt {
  /** Text that is passed on. */
  readonly passed: string;
  /** What may be the begin of a tag: it has to be looked at again with what follows. */
  readonly held: string;
  /** The tag that ends reasoning, which is all of the text so far, and the text after it; null without one. */
  readonly ended: { readonly tag: EndTag; readonly after: string } | null;
}

export interface EndTag {
  readonly name: string;
  /** As the text has it. */
  readonly text: string;
}

/**
 * Finds the tag that ends reasoning in a text without a tag that begins it. Templates of DeepSeek's and Qwen's models put the
 * first tag into the prompt, so that a server without a parser sends only the second one.
 *
 * Such a tag is the first one of all, ends its line, follows a line break or a word directly, and something comes after it.
 * Elsewhere, in a fence or after another tag, the text is about tags and stays a text.
 */
export class ClosingTag {
  #isOver = false;
  #hasSaid = false;
  /** The last character that was passed on; '' before the first. */
  #last = '';
  #line = '';
  /** What closes the open fence; null outside of fences. */
  #fence: RegExp | null = null;

  /** Whether more than white space was passed on. */
  get hasSaid(): boolean {
    return this.#hasSaid;
  }

  /** Takes the next text, with what was held back before it. */
  look(text: string): LookedAt {
    const tag = this.#isOver ? null : ANY_TAG.exec(text);
    if (tag !== null) {
      return this.#found(text, tag);
    }
    const at = this.#isOver ? -1 : text.lastIndexOf('<');
    const held = at === -1 || !isBeginOfTag(text.slice(at)) ? '' : text.slice(at);
    return { passed: this.#pass(text.slice(0, text.length - held.length)), held, ended: null };
  }

  /** The tag that ends reasoning where a call follows what is held back; null without one. */
  endBeforeCall(held: string): EndTag | null {
    const name = CLOSING_ALONE.exec(held)?.[1];
    return name === undefined || !this.#mayEnd() ? null : { name, text: held };
  }

  #found(text: string, { 0: tag, index }: RegExpExecArray): LookedAt {
    const isClosing = tag.startsWith('</');
    const passed = this.#pass(text.slice(0, index));
    const after = text.slice(index + tag.length);
    if (isClosing && this.#mayEnd()) {
      if (after.trim() === '' && after.length <= MOST_BLANK) {
        return { passed, held: tag + after, ended: null };
      }
      if (/^[^\S\n]*\n/.test(after)) {
        this.#isOver = true;
        return { passed, held: '', ended: { tag: { name: tag.slice(2, -1), text: tag }, after } };
      }
    }
    this.#isOver = true;
    return { passed: passed + tag + after, held: '', ended: null };
  }

  /** Whether a tag after what was passed on can end reasoning. */
  #mayEnd(): boolean {
    return this.#fence === null && (!this.#hasSaid || this.#last === '\n' || this.#last.trim() !== '');
  }

  #pass(text: string): string {
    const lines = text.split('\n');
    for (const [index, part] of lines.entries()) {
      this.#line = `${index === 0 ? this.#line : ''}${part}`.slice(0, MOST_LINE);
      if (index < lines.length - 1) {
        this.#endLine(this.#line);
      }
    }
    this.#last = text.at(-1) ?? this.#last;
    this.#hasSaid ||= text.trim() !== '';
    return text;
  }

  #endLine(line: string): void {
    if (this.#fence !== null) {
      this.#fence = this.#fence.test(line) ? null : this.#fence;
      return;
    }
    const marker = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
    this.#fence = marker === undefined ? null : new RegExp(`^ {0,3}${marker.charAt(0)}{${String(marker.length)},}\\s*$`);
  }
}

function isBeginOfTag(text: string): boolean {
  return REASONING_TAGS.some((name) => `<${name}>`.startsWith(text) || `</${name}>`.startsWith(text));
}
