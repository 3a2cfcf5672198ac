import type { Env, MarkdownIt as Renderer, Token } from 'markdown-it';
import { type ParsedTexts, infoOf } from './renderer.js';

/*
 * Parses streaming Markdown. Parsing the whole text for each new piece would take quadratic time, so only the end of
 * the text is parsed again. Top-level blocks that more text cannot change are closed, and returned once. Parsed texts
 * in open blocks are reused.
 *
 * A block is closed when the next block is certain. A blank line also closes a block that cannot continue after a blank
 * line. The next block is certain when its first line is complete: an incomplete line may still belong to the previous
 * block (`***` is a rule, `***bold***` is not). A table is certain after its second line.
 *
 * Known limit: link reference definitions also change closed blocks. A text with definitions is rendered again at its
 * end.
 */

export interface StreamUpdate {
  /** Whether all earlier blocks are invalid. `closed` then starts with the first block of the text. */
  readonly restart: boolean;
  /** Blocks that this step closed, in order. More text does not change them. */
  readonly closed: readonly Block[];
  /** The blocks at the end of the text. More text can change them, and the next step replaces them. */
  readonly open: readonly Block[];
}

interface ParsedBlock {
  readonly block: Block;
  /** Whether more text cannot change the block. */
  readonly isClosed: boolean;
  /** Offset in the source of the text after the block. */
  readonly end: number;
}

/** Types of blocks that end at a blank line. Lists, indented code and open fences can continue after a blank line. */
const ENDED_BY_BLANK: ReadonlySet<string> = new Set([
  'paragraph_open',
  'heading_open',
  'hr',
  'table_open',
  'blockquote_open',
  'math_block',
]);

export class MarkdownStream {
  readonly #md: Renderer;
  readonly #pieces: string[] = [];
  /** The first half of a line end or surrogate pair, kept until the second half arrives. */
  #held = '';
  /** The text from the first open block to the end. */
  #tail = '';
  #from = 0;
  #texts: ParsedTexts = new Map();
  /** Whether the text contains link definitions, which change other blocks. */
  #hasReferences = false;

  constructor(md: Renderer) {
    this.#md = md;
  }

  append(text: string): StreamUpdate {
    const whole = this.#held + text;
    const end = isHalf(whole.charCodeAt(whole.length - 1)) ? whole.length - 1 : whole.length;
    this.#held = whole.slice(end);
    this.#take(whole.slice(0, end));
    const blocks = this.#parse();
    const count = 1 + blocks.findLastIndex(({ isClosed }) => isClosed);
    const open = blocks.slice(count).map(({ block }) => displayedBlock(block, this.#tail));
    const from = blocks[count - 1]?.end ?? this.#from;
    this.#tail = this.#tail.slice(from - this.#from);
    this.#from = from;
    return { restart: false, closed: blocks.slice(0, count).map(({ block }) => completed(block)), open };
  }

  /** Ends the text. Closes all blocks that are still open. */
  finish(): StreamUpdate {
    this.#take(this.#held);
    this.#held = '';
    const rest = this.#parse();
    const restart = this.#hasReferences;
    if (restart) {
      this.#tail = this.#pieces.join('');
      this.#from = 0;
      this.#texts = new Map();
    }
    return { restart, closed: (restart ? this.#parse() : rest).map(({ block }) => completed(block)), open: [] };
  }

  /**
   * Adds text. Normalizes line ends and NUL as CommonMark does, so that line numbers and offsets match the parser's.
   */
  #take(text: string): void {
    const normal = /[\r\0]/.test(text) ? text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD') : text;
    this.#pieces.push(normal);
    this.#tail += normal;
  }

  /** Parses the text from the first open block to the end into top-level blocks. */
  #parse(): readonly ParsedBlock[] {
    const text = this.#tail;
    const env: Env = { texts: this.#texts };
    const blocks = topLevel(this.#md.parse(text, env));
    this.#texts = env['texts'] as ParsedTexts;
    this.#hasReferences ||= env.references !== undefined;
    const html = (tokens: Token[]): string => this.#md.renderer.render(tokens, this.#md.options, env);
    const lines = text.split('\n');
    const starts = startsOf(lines);
    return blocks.map((tokens, index) => {
      const [line, end] = lineRangeOf(tokens);
      const next = blocks[index + 1];
      const complete = next !== undefined || isClosedFence(tokens, lines);
      const block = blockOf(tokens, { start: this.#from + (starts[line] ?? 0), complete, html });
      const isClosed = isFollowed(next, lines) || isEndedByBlank(tokens, lines);
      return { block, isClosed, end: this.#from + (starts[end] ?? text.length) };
    });
  }
}

function isFollowed(next: readonly Token[] | undefined, lines: readonly string[]): boolean {
  return next !== undefined && isWhole(lineRangeOf(next)[0] + (next[0]?.type === 'table_open' ? 1 : 0), lines);
}

/** Whether a blank line after the block ends the block. */
function isEndedByBlank(tokens: readonly Token[], lines: readonly string[]): boolean {
  const [, end] = lineRangeOf(tokens);
  const canBe = ENDED_BY_BLANK.has(tokens[0]?.type ?? '') || isClosedFence(tokens, lines);
  return canBe && isWhole(end, lines) && /^[ \t]*$/.test(lines[end] ?? '');
}

/** Whether the block is a fence whose closing fence is a complete line. */
function isClosedFence([token]: readonly Token[], lines: readonly string[]): boolean {
  const isClosed = token?.type === 'fence' && (token.meta as { isClosed: boolean }).isClosed;
  return isClosed && isWhole((token.map?.[1] ?? 0) - 1, lines);
}

/** Whether a line ends with a line end. */
function isWhole(line: number, lines: readonly string[]): boolean {
  return line < lines.length - 1;
}

function topLevel(tokens: readonly Token[]): readonly Token[][] {
  const blocks: Token[][] = [];
  for (const token of tokens) {
    if (token.level === 0 && token.nesting !== -1) {
      blocks.push([]);
    }
    blocks.at(-1)?.push(token);
  }
  return blocks;
}

/** Returns the first line of a block and the line after it. */
function lineRangeOf(tokens: readonly Token[]): readonly [number, number] {
  return tokens[0]?.map ?? [0, 0];
}

function startsOf(lines: readonly string[]): readonly number[] {
  const starts: number[] = [];
  let start = 0;
  for (const line of lines) {
    starts.push(start);
    start += line.length + 1;
  }
  return starts;
}

function blockOf(
  tokens: Token[],
  { start, complete, html }: { start: number; complete: boolean; html: (tokens: Token[]) => string },
): Block {
  const [token] = tokens;
  if (token?.type === 'fence' || token?.type === 'code_block') {
    return { kind: 'code', start, info: infoOf(token), text: token.content, complete };
  }
  return groupOf(tokens, start, html) ?? { kind: 'html', start, html: html(tokens) };
}

function completed(block: Block): Block {
  return block.kind === 'code' ? { ...block, complete: true } : block;
}

/** Returns an open block for display. Hides a last line of code that may be the start of the closing fence. */
function displayedBlock(block: Block, text: string): Block {
  const mayEnd = block.kind === 'code' && !block.complete && /^\s*[`~]*\s*$/.test(text.slice(text.lastIndexOf('\n') + 1));
  return mayEnd ? { ...block, text: block.text.slice(0, block.text.lastIndexOf('\n') + 1) } : block;
}

/** Whether a character is the first half of a line end or surrogate pair. */
function isHalf(code: number): boolean {
  return code === 0x0d || (code >= 0xd800 && code <= 0xdbff);
}

/* Splits lists and tables into the HTML of each item and row. */

/** Returns the list or table that starts at `start`. Null for other blocks and for a table without rows. */
function groupOf(tokens: readonly Token[], start: number, html: (tokens: Token[]) => string): GroupBlock | null {
  const items = itemsOf(tokens);
  const first = items[0];
  const last = items.at(-1);
  return first === undefined || last === undefined
    ? null
    : {
        kind: 'group',
        start,
        open: html(tokens.slice(0, first.from)),
        items: items.map(({ from, until }) => html(tokens.slice(from, until))),
        close: html(tokens.slice(last.until)),
      };
}

/** The range of tokens of an item or a row. */
interface TokenRange {
  readonly from: number;
  readonly until: number;
}

function itemsOf(tokens: readonly Token[]): readonly TokenRange[] {
  const body = bodyOf(tokens);
  const items: TokenRange[] = [];
  if (body === -1) {
    return items;
  }
  const level = (tokens[body]?.level ?? 0) + 1;
  for (let at = body + 1, from = at; at < tokens.length; at += 1) {
    if (tokens[at]?.level === level && tokens[at]?.nesting === -1) {
      items.push({ from, until: at + 1 });
      from = at + 1;
    }
  }
  return items;
}

/** Returns the index of the token that opens the list or table body. -1 without such a token. */
function bodyOf(tokens: readonly Token[]): number {
  const type = tokens[0]?.type;
  if (type === 'table_open') {
    return tokens.findIndex((token) => token.type === 'tbody_open');
  }
  return type === 'bullet_list_open' || type === 'ordered_list_open' ? 0 : -1;
}

/** A top-level block of a Markdown text. `start`: offset of the block, which stays the same while the block grows. */
export type Block =
  | { readonly kind: 'html'; readonly start: number; readonly html: string }
  | GroupBlock
  | {
      readonly kind: 'code';
      readonly start: number;
      /** The info string of the fence: a language, and perhaps a file. */
      readonly info: string;
      readonly text: string;
      /** Whether the block is final, because no more text will be added. */
      readonly complete: boolean;
    };

/** A list, or a table with rows. The HTML of the block is `open`, then the items in order, then `close`. */
export interface GroupBlock {
  readonly kind: 'group';
  readonly start: number;
  readonly open: string;
  /** The HTML of each list item, or of each row in the table body. */
  readonly items: readonly string[];
  readonly close: string;
}
