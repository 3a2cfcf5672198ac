import type { Env, MarkdownIt as Renderer, Token } from 'markdown-it';
import { finalCode, openFence, type OpenFence, readFence, shownCode } from './fence.js';
import { languageOf } from './renderer.js';

/*
 * Streaming Markdown. Re-rendering the whole text at each piece costs the square of its length, so only its end is
 * parsed again: top-level blocks that no further text can change are given out once as closed.
 *
 * A block is closed when a later block began at least two lines before the unfinished last line. One line is not
 * enough: a table is only recognized by its second line, and an unfinished line may still turn out to continue the
 * block before (`***` is a rule, `***bold***` is not).
 *
 * Must miss: link reference definitions reach back into closed blocks. A text that has any is rendered as a whole
 * once more at its end.
 */

/** One top-level block; `start` is its offset in the text and its identity while it is open. */
export type Block =
  | { readonly kind: 'html'; readonly start: number; readonly html: string }
  | {
      readonly kind: 'code';
      readonly start: number;
      readonly language: string;
      readonly text: string;
      /** False while the block's text still grows. */
      readonly complete: boolean;
    };

export interface Step {
  /** All blocks given out before are void: `closed` starts again from the beginning. */
  readonly restart: boolean;
  /** Blocks that will not change any more, in order. */
  readonly closed: readonly Block[];
  /** The end of the text as it is now; replaced by the next step. */
  readonly open: readonly Block[];
}

/** Lines between the start of a block and the unfinished line that make the block before it final. */
const LINES_AHEAD = 2;

export class MarkdownStream {
  readonly #md: Renderer;
  #source = '';
  /** Half of a line end or of a surrogate pair, kept until its other half has come. */
  #held = '';
  /** The text from the start of the first block that is not closed; unused while a fence is open. */
  #tail = '';
  #fence: OpenFence | null = null;
  #hasDefinitions = false;

  constructor(md: Renderer) {
    this.#md = md;
  }

  append(text: string): Step {
    const whole = this.#held + text;
    this.#held = /[\r\uD800-\uDBFF]$/.exec(whole)?.[0] ?? '';
    return this.#read(normalized(whole.slice(0, whole.length - this.#held.length)));
  }

  /** The end of the text: everything left is closed. */
  finish(): Step {
    const { closed, open } = this.#read(normalized(this.#held));
    this.#held = '';
    if (this.#hasDefinitions) {
      return { restart: true, closed: this.#parse(this.#source, 0).map(({ block }) => completed(block)), open: [] };
    }
    const last = this.#fence === null ? open.map(completed) : [codeBlock(this.#fence, finalCode(this.#fence), true)];
    return { restart: false, closed: [...closed, ...last], open: [] };
  }

  #read(added: string): Step {
    this.#source += added;
    const closed: Block[] = [];
    if (this.#fence === null) {
      this.#tail += added;
    } else {
      const { fence, after } = readFence(this.#fence, added);
      if (after === null) {
        this.#fence = fence;
        return { restart: false, closed, open: [codeBlock(fence, shownCode(fence), false)] };
      }
      closed.push(codeBlock(fence, fence.code, true));
      this.#fence = null;
      this.#tail = after;
    }
    const start = this.#source.length - this.#tail.length;
    const parsed = this.#parse(this.#tail, start);
    const unfinished = lineCount(this.#tail);
    const keep = Math.max(
      0,
      parsed.findLastIndex(({ line }) => line <= unfinished - LINES_AHEAD),
    );
    closed.push(...parsed.slice(0, keep).map(({ block }) => completed(block)));
    const first = parsed[keep]?.block;
    this.#tail = first === undefined ? this.#tail : this.#tail.slice(first.start - start);
    this.#fence = keep > 0 || parsed.length === 1 ? this.#openFence(first) : null;
    return { restart: false, closed, open: parsed.slice(keep).map(({ block }) => block) };
  }

  /** The fence to read line by line from now on, when the tail is one that is open. */
  #openFence(first: Block | undefined): OpenFence | null {
    const lineEnd = this.#tail.indexOf('\n');
    if (first?.kind !== 'code' || first.complete || lineEnd === -1) {
      return null;
    }
    const line = this.#tail.slice(0, lineEnd);
    // With a bar in it the line may become the head of a table, which the parser prefers to a fence.
    const fence = line.includes('|') ? null : openFence(line, first.start);
    return fence === null ? null : readFence(fence, this.#tail.slice(lineEnd + 1)).fence;
  }

  /** The top-level blocks of `text`, which is the whole text from `offset` on, each with the line it starts at. */
  #parse(text: string, offset: number): PlacedBlock[] {
    const env: Env = {};
    const tokens = this.#md.parse(text, env);
    this.#hasDefinitions ||= env.references !== undefined;
    const starts = tokens.flatMap((token, index) => (token.level === 0 && token.nesting >= 0 ? [index] : []));
    const position = new LinePosition(text);
    return starts.map((from, index) => {
      const until = starts[index + 1];
      const content = tokens.slice(from, until);
      const token = content[0];
      const line = token?.map?.[0] ?? 0;
      const start = offset + position.of(line);
      if (token?.type === 'fence' || token?.type === 'code_block') {
        const language = token.type === 'fence' ? languageOf(token.info) : '';
        const complete = until !== undefined || isClosedFence(token, text.slice(start - offset));
        return { line, block: { kind: 'code', start, language, text: token.content, complete } };
      }
      const html = this.#md.renderer.render(content, this.#md.options, env);
      return { line, block: { kind: 'html', start, html } };
    });
  }
}

/** A block and the line it starts at, from 0 at the start of the text that was parsed. */
interface PlacedBlock {
  readonly block: Block;
  readonly line: number;
}

/** Offsets of lines that are asked for in ascending order. */
class LinePosition {
  readonly #text: string;
  #line = 0;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  of(line: number): number {
    while (this.#line < line) {
      this.#offset = this.#text.indexOf('\n', this.#offset) + 1;
      this.#line += 1;
    }
    return this.#offset;
  }
}

/** Whether `text`, which begins with the fence, holds its closing line. */
function isClosedFence(token: Token, text: string): boolean {
  const lineEnd = text.indexOf('\n');
  const fence = token.type === 'fence' && lineEnd !== -1 ? openFence(text.slice(0, lineEnd), 0) : null;
  return fence !== null && readFence(fence, text.slice(lineEnd + 1)).after !== null;
}

function completed(block: Block): Block {
  return block.kind === 'code' ? { ...block, complete: true } : block;
}

function codeBlock(fence: OpenFence, text: string, complete: boolean): Block {
  return { kind: 'code', start: fence.start, language: languageOf(fence.info), text, complete };
}

/** Line ends and NUL as CommonMark wants them, so that offsets in lines and in text agree. */
function normalized(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');
}

/** The index of the last line, which no line end finishes. */
function lineCount(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}
