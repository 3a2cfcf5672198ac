import type { Env, MarkdownIt as Renderer, Token } from 'markdown-it';
import type { Block, PlacedBlock } from './block.js';
import { finalCode, openFence, type OpenFence, readFence, shownCode } from './fence.js';
import { groupOf } from './group.js';
import type { OpenBlock, Taken } from './openBlock.js';
import { OpenList } from './openList.js';
import { OpenTable } from './openTable.js';
import { languageOf } from './renderer.js';
import { missingAfter, restoreSettled, type SettledText, settleText, withSource, withWord } from './settledText.js';
import { SourceLines } from './sourceLines.js';

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

interface Parsed {
  readonly text: string;
  readonly lines: SourceLines;
  readonly tokens: readonly Token[];
  readonly env: Env;
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
    this.#held = /[\r\uD800-\uDBFF]$/.exec(whole)?.[0] ?? '';
    return this.#read(normalized(whole.slice(0, whole.length - this.#held.length)), false);
  }

  /** Ends the text: all remaining blocks are closed. */
  finish(): Step {
    const { closed, open } = this.#read(normalized(this.#held), true);
    this.#held = '';
    if (this.#needsWhole) {
      this.#settled = null;
      return { restart: true, closed: this.#place(this.#parse(this.#source)).map(({ block }) => completed(block)), open: [] };
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
    const placed = this.#parseTail(isEnd);
    const open = this.#open;
    const shown = placed.map((each, index) => (index === 0 && open !== null ? open.whole(each) : each.block));
    const lines = new SourceLines(this.#tail);
    const count = 1 + placed.findLastIndex((each, index) => isClosed(each, placed[index + 1], lines));
    closed.push(...shown.slice(0, count).map(completed));
    this.#advance(placed, count, lines);
    return { restart: false, closed, open: shown.slice(count) };
  }

  /** The blocks of the tail. What is settled and is contradicted now is taken up again. */
  #parseTail(isEnd: boolean): readonly PlacedBlock[] {
    const parsed = this.#parse(this.#tail);
    if (this.#settled !== null && !restoreSettled(parsed.tokens, parsed.lines, this.#settled)) {
      this.#tail = withSource(this.#tail, this.#settled);
      this.#settled = null;
      return this.#parseTail(isEnd);
    }
    const placed = this.#place(parsed);
    const [first] = placed;
    if (this.#open === null || first === undefined || !this.#open.isContradicted(first)) {
      return placed;
    }
    // An unfinished line may only look like an item.
    const wholeLines = this.#tail.slice(0, this.#tail.lastIndexOf('\n') + 1);
    const certain = isEnd ? first : this.#place(this.#parse(wholeLines))[0];
    if (certain === undefined || !this.#open.isContradicted(certain)) {
      return placed;
    }
    const { open, prefix, from } = this.#open.again();
    this.#open = open;
    this.#tail = prefix + this.#source.slice(from);
    this.#settled = null;
    return this.#place(this.#parse(this.#tail));
  }

  /** Takes out of the tail what is certain: the first `count` blocks, and parts of the next one when it is the last. */
  #advance(placed: readonly PlacedBlock[], count: number, lines: SourceLines): void {
    const last = count === placed.length - 1 ? placed[count] : undefined;
    const { open, prefix, from } = this.#take(placed, count, lines);
    const more = last === undefined ? null : settleText(this.#tail, { tokens: last.tokens, lines, before: this.#settled, md: this.#md });
    const settled = more?.settled ?? this.#settled;
    this.#open = open;
    this.#needsWhole ||= open?.isTooLong === true;
    if (settled === null || settled.at < from) {
      this.#settled = null;
      this.#tail = prefix + this.#tail.slice(from);
    } else {
      const text = more === null ? this.#tail : withWord(this.#tail, more);
      this.#settled = { ...settled, at: settled.at - from + prefix.length };
      this.#tail = prefix + text.slice(from);
    }
    this.#fence = last === undefined ? null : this.#openFence(last.block);
  }

  /** What of the tail is to be parsed from now on. */
  #take(placed: readonly PlacedBlock[], count: number, lines: SourceLines): Omit<Taken, 'open'> & { open: OpenBlock | null } {
    const first = placed[count];
    const lastClosed = placed[count - 1];
    if (count === 0 && first !== undefined && this.#open !== null) {
      return this.#open.settle(first, lines);
    }
    const from = lines.offset(first?.line ?? lastClosed?.end ?? 0);
    const taken = first === undefined || count < placed.length - 1 ? null : (OpenList.at(first, lines) ?? OpenTable.at(first, lines));
    return taken ?? { open: null, prefix: '', from };
  }

  /** The open fence at the tail, to be read line by line from now on; null when there is none. */
  #openFence(first: Block): OpenFence | null {
    const lineEnd = this.#tail.indexOf('\n');
    if (first.kind !== 'code' || first.complete || lineEnd === -1) {
      return null;
    }
    const line = this.#tail.slice(0, lineEnd);
    // A line with a bar may become the head of a table, which the parser prefers to a fence.
    const fence = line.includes('|') ? null : openFence(line, first.start);
    return fence === null ? null : readFence(fence, this.#tail.slice(lineEnd + 1)).fence;
  }

  #parse(text: string): Parsed {
    const env: Env = {};
    const tokens = this.#md.parse(text, env);
    this.#needsWhole ||= env.references !== undefined;
    return { text, lines: new SourceLines(text), tokens, env };
  }

  /** The top-level blocks of a text with which the whole text ends. */
  #place({ text, lines, tokens, env }: Parsed): readonly PlacedBlock[] {
    const starts = tokens.flatMap((token, index) => (token.level === 0 && token.nesting >= 0 ? [index] : []));
    return starts.map((from, index) => {
      const until = starts[index + 1];
      const content = tokens.slice(from, until);
      const token = content[0];
      const [line, end] = token?.map ?? [0, 0];
      const start = this.#source.length - text.length + lines.offset(line) - missingAfter(lines.offset(line), this.#settled);
      const placed = { tokens: content, line, end };
      if (token?.type === 'fence' || token?.type === 'code_block') {
        const language = token.type === 'fence' ? languageOf(token.info) : '';
        const complete = until !== undefined || isClosedFence(token, lines.from(line));
        return { ...placed, block: { kind: 'code', start, language, text: token.content, complete } };
      }
      const html = (part: Token[]): string => this.#md.renderer.render(part, this.#md.options, env);
      return { ...placed, block: groupOf(content, start, html) ?? { kind: 'html', start, html: html(content) } };
    });
  }
}

/** Whether no further text can change the block. */
function isClosed({ block, tokens, end }: PlacedBlock, next: PlacedBlock | undefined, lines: SourceLines): boolean {
  const endsAtBlank = block.kind === 'code' ? block.complete : ENDED_BY_BLANK.has(tokens[0]?.type ?? '');
  if (endsAtBlank && lines.isWhole(end) && lines.isBlank(end)) {
    return true;
  }
  return next !== undefined && lines.isWhole(next.tokens[0]?.type === 'table_open' ? next.line + 1 : next.line);
}

/** Whether `text`, which begins with the fence, contains its closing line. */
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

/** Replaces line ends and NUL as CommonMark says, so that line numbers and offsets agree. */
function normalized(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');
}
