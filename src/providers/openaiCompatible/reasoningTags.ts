/**
 * Tags around reasoning in the content. `think`: DeepSeek's and Qwen's models when their server does not parse the tag
 * (Groq with `reasoning_format: raw`, MiniMax without `reasoning_split`, vLLM without a parser). `mm:think`: MiniMax
 * M3. `thought`: Gemini when a request asks for its thoughts. `thinking`: models that a prompt asks to think aloud.
 */
export const REASONING_TAGS = ['think', 'thinking', 'thought', 'mm:think'] as const;

/** Maximum number of white space characters after a tag to hold back until more text follows. */
const MOST_BLANK = 1_000;

/** Maximum number of characters in a line to check for the fence of a code block. */
const MOST_LINE = 1_000;

const ANY_TAG = new RegExp(`</?(?:${REASONING_TAGS.join('|')})>`);

/** Matches a closing tag with only white space around it. */
const CLOSING_ALONE = new RegExp(`^\\s*</(${REASONING_TAGS.join('|')})>\\s*$`);

export interface TagSearch {
  readonly passed: string;
  /** Text that may be the start of a tag. The next search includes this text. */
  readonly held: string;
  /** The closing tag, and the text after it. All earlier text is reasoning. Null when no tag ends reasoning. */
  readonly ended: { readonly tag: EndTag; readonly after: string } | null;
}

export interface EndTag {
  readonly name: string;
  readonly text: string;
}

/**
 * Finds the closing tag of reasoning that has no opening tag. Templates of DeepSeek's and Qwen's models put the opening
 * tag into the prompt, so a server without a parser sends only the closing tag.
 *
 * Such a closing tag is the first tag, ends its line, directly follows a line break or a word, and has text or a tool
 * call after it. Any other closing tag (in a code block or after another tag) is ordinary text about tags.
 */
export class ClosingTag {
  #isOver = false;
  #hasSaid = false;
  /** The last character of the text that `look` has passed on. '' before the first text. */
  #last = '';
  #line = '';
  /** Matches the end of the current code block. Null outside of code blocks. */
  #fence: RegExp | null = null;

  /** Whether `look` has passed on text other than white space. */
  get hasSaid(): boolean {
    return this.#hasSaid;
  }

  /** Searches a text for a closing tag. The text must start with `held` of the previous search. */
  look(text: string): TagSearch {
    const tag = this.#isOver ? null : ANY_TAG.exec(text);
    if (tag !== null) {
      return this.#found(text, tag);
    }
    const at = this.#isOver ? -1 : text.lastIndexOf('<');
    const held = at === -1 || !isBeginOfTag(text.slice(at)) ? '' : text.slice(at);
    return { passed: this.#pass(text.slice(0, text.length - held.length)), held, ended: null };
  }

  /** Returns the closing tag in the held text. Call this when a tool call follows. Null without such a tag. */
  endBeforeCall(held: string): EndTag | null {
    const name = CLOSING_ALONE.exec(held)?.[1];
    return name === undefined || !this.#mayEnd() ? null : { name, text: held };
  }

  #found(text: string, { 0: tag, index }: RegExpExecArray): TagSearch {
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

  /** Whether a tag at the current position can end reasoning. */
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
