import type { MarkdownIt as Renderer } from 'markdown-it';
import type { Block, PlacedBlock } from './block.js';
import { finalCode, openFence, type OpenFence, readFence, shownCode } from './fence.js';
import type { OpenBlock, Taken } from './openBlock.js';
import { OpenList } from './openList.js';
import { OpenTable } from './openTable.js';
import { ParsedText } from './parsedText.js';
import { languageOf } from './renderer.js';
import { missingAfter, restoreSettled, type SettledText, settleText, withSource, withWord } from './settledText.js';
import type { SourceLines } from './sourceLines.js';

/*
 * Streaming Markdown. Rendering the whole text again for each piece costs quadratic time. So only the end is parsed
 * again: top-level blocks that further text cannot change are emitted once, as closed. Of what is still open, only the
 * part that may change is parsed again: the last items of a list or a table (openBlock.ts), the last words of a paragraph
 * (settledText.ts), the last line of a code fence (fence.ts).
 *
 * A block is closed when the next one is certain, or when a blank line has ended it. A new block is certain with its
 * first whole line. An unfinished one may still continue the block before it (`***` is a rule, `***bold***` is not),
 * and a table is only recognized by its second line.
 *
 * Known miss: link reference definitions also change closed blocks. A text with any of them is rendered once more as
 * a whole at its end.
 */

export interface Step {
  /** Whether all earlier blocks are void: `closed` then starts again from the beginning. */
  readonly restart: boolean;
  /** Blocks that will not change any more, in order. */
  readonly closed: readonly Block[];
  /** The blocks at the end of the text, which the next step replaces. */
  readonly open: readonly Block[];
}

/** A parsed text with which the whole text ends, and its top-level blocks. */
interface Tail {
  readonly parsed: ParsedText;
  readonly placed: readonly PlacedBlock[];
}

/** The blocks that a blank line ends. Lists, indented code and open fences go on after it. */
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
  #source = '';
  /** The first half of a line end or of a surrogate pair, until its second half arrives. */
  #held = '';
  /** The text to parse: from the first open block on, without what is settled of it. Unused in a fence. */
  #tail = '';
  #fence: OpenFence | null = null;
  #open: OpenBlock | null = null;
  #settled: SettledText | null = null;
  /** Whether the text is rendered once more as a whole at its end. */
  #needsWhole = false;

  constructor(md: Renderer) {
    this.#md = md;
  }

  append(text: string): Step {
    const whole = this.#held + text;
    const end = isHalf(whole.charCodeAt(whole.length - 1)) ? whole.length - 1 : whole.length;
    this.#held = whole.slice(end);
    return this.#read(normalized(whole.slice(0, end)), false);
  }

  /** Ends the text: all remaining blocks are closed. */
  finish(): Step {
    const { closed, open } = this.#read(normalized(this.#held), true);
    this.#held = '';
    if (this.#needsWhole) {
      this.#settled = null;
      const { parsed, placed } = this.#parse(this.#source);
      return { restart: true, closed: placed.map((each) => completed(parsed.rendered(each))), open: [] };
    }
    const last = this.#fence === null ? open.map(completed) : [codeBlock(this.#fence, finalCode(this.#fence), true)];
    return { restart: false, closed: [...closed, ...last], open: [] };
  }

  #read(added: string, isEnd: boolean): Step {
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
    const { parsed, placed } = this.#parseTail(isEnd);
    const open = this.#open;
    const shown = placed.map((each, index) => (index === 0 && open !== null ? open.whole(each, parsed.html) : parsed.rendered(each)));
    const count = 1 + shown.findLastIndex((block, index) => isClosed(block, placed[index], placed[index + 1], parsed.lines));
    closed.push(...shown.slice(0, count).map(completed));
    this.#advance(placed, shown, count, parsed.lines);
    return { restart: false, closed, open: shown.slice(count) };
  }

  /** The blocks of the tail. What is settled and is contradicted now is taken up again. */
  #parseTail(isEnd: boolean): Tail {
    const tail = this.#parse(this.#tail);
    if (this.#settled !== null && !restoreSettled(tail.parsed.tokens, tail.parsed.lines, this.#settled)) {
      this.#tail = withSource(this.#tail, this.#settled);
      this.#settled = null;
      return this.#parseTail(isEnd);
    }
    const [first] = tail.placed;
    if (this.#open === null || first === undefined || !this.#open.isContradicted(first)) {
      return tail;
    }
    // An unfinished line may only look like an item.
    const wholeLines = this.#tail.slice(0, this.#tail.lastIndexOf('\n') + 1);
    const certain = isEnd ? first : this.#parse(wholeLines).placed[0];
    if (certain === undefined || !this.#open.isContradicted(certain)) {
      return tail;
    }
    const { open, prefix, from } = this.#open.again();
    this.#open = open;
    this.#tail = prefix + this.#source.slice(from);
    this.#settled = null;
    return this.#parse(this.#tail);
  }

  /** Takes out of the tail what is certain: the first `count` blocks, and parts of the next one when it is the last. */
  #advance(placed: readonly PlacedBlock[], shown: readonly Block[], count: number, lines: SourceLines): void {
    const last = count === placed.length - 1 ? placed[count] : undefined;
    const { open, prefix, from } = this.#take(placed, shown, count, lines);
    const before = this.#settled !== null && this.#settled.at >= from ? this.#settled : null;
    const more = last === undefined ? null : settleText(this.#tail, { tokens: last.tokens, lines, before, md: this.#md });
    const settled = more?.settled ?? before;
    const text = more === null ? this.#tail : withWord(this.#tail, more);
    this.#open = open;
    this.#needsWhole ||= open?.isTooLong === true;
    this.#settled = settled === null ? null : { ...settled, at: settled.at - from + prefix.length };
    this.#tail = prefix + text.slice(from);
    this.#fence = last === undefined ? null : this.#openFence(shown[count]);
  }

  /** What of the tail is to be parsed from now on. */
  #take(
    placed: readonly PlacedBlock[],
    shown: readonly Block[],
    count: number,
    lines: SourceLines,
  ): Omit<Taken, 'open'> & { open: OpenBlock | null } {
    const first = placed[count];
    const block = shown[count];
    if (first === undefined || block === undefined) {
      return { open: null, prefix: '', from: lines.offset(placed[count - 1]?.end ?? 0) };
    }
    if (count === 0 && this.#open !== null && block.kind === 'group') {
      return this.#open.settle(first, block, lines);
    }
    const taken = first.isLast ? (OpenList.at(first, block, lines) ?? OpenTable.at(first, block, lines)) : null;
    return taken ?? { open: null, prefix: '', from: lines.offset(first.line) };
  }

  /** The open fence at the tail, to be read line by line from now on; null when there is none. */
  #openFence(first: Block | undefined): OpenFence | null {
    const lineEnd = this.#tail.indexOf('\n');
    if (first?.kind !== 'code' || first.complete || lineEnd === -1) {
      return null;
    }
    const line = this.#tail.slice(0, lineEnd);
    // A line with a bar may become the head of a table, which the parser prefers to a fence.
    const fence = line.includes('|') ? null : openFence(line, first.start);
    return fence === null ? null : readFence(fence, this.#tail.slice(lineEnd + 1)).fence;
  }

  /** Parses a text with which the whole text ends. */
  #parse(text: string): Tail {
    const parsed = new ParsedText(text, this.#md);
    this.#needsWhole ||= parsed.hasReferences;
    const before = this.#source.length - text.length;
    return { parsed, placed: parsed.blocks((offset) => before + offset - missingAfter(offset, this.#settled)) };
  }
}

/** Whether no further text can change the block. */
function isClosed(block: Block, placed: PlacedBlock | undefined, next: PlacedBlock | undefined, lines: SourceLines): boolean {
  const isFollowed = next !== undefined && lines.isWhole(next.tokens[0]?.type === 'table_open' ? next.line + 1 : next.line);
  return isFollowed || (placed !== undefined && endsAtBlank(block, placed) && lines.isWhole(placed.end) && lines.isBlank(placed.end));
}

/** Whether a blank line behind the block ends it. */
function endsAtBlank(block: Block, { tokens }: PlacedBlock): boolean {
  return block.kind === 'code' ? block.complete : ENDED_BY_BLANK.has(tokens[0]?.type ?? '');
}

function completed(block: Block): Block {
  return block.kind === 'code' ? { ...block, complete: true } : block;
}

function codeBlock(fence: OpenFence, text: string, complete: boolean): Block {
  return { kind: 'code', start: fence.start, language: languageOf(fence.info), text, complete };
}

/** Whether a character is the first half of a line end or of a surrogate pair. */
function isHalf(code: number): boolean {
  return code === 0x0d || (code >= 0xd800 && code <= 0xdbff);
}

/** Replaces line ends and NUL as CommonMark says, so that line numbers and offsets agree. */
function normalized(text: string): string {
  return /[\r\0]/.test(text) ? text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD') : text;
}
