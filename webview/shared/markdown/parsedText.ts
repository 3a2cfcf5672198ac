import type { Env, MarkdownIt as Renderer, Token } from 'markdown-it';
import type { Block, PlacedBlock } from './block.js';
import { openFence, readFence } from './fence.js';
import { groupOf, type ToHtml } from './group.js';
import { languageOf } from './renderer.js';
import { SourceLines } from './sourceLines.js';

/** A parsed text. Its blocks are found at once, and rendered when they are asked for. */
export class ParsedText {
  readonly text: string;
  readonly lines: SourceLines;
  readonly tokens: readonly Token[];
  /** Whether the text defines targets of links that stand elsewhere. */
  readonly hasReferences: boolean;
  /** Renders tokens of the text. */
  readonly html: ToHtml;

  constructor(text: string, md: Renderer) {
    const env: Env = {};
    this.text = text;
    this.lines = new SourceLines(text);
    this.tokens = md.parse(text, env);
    this.hasReferences = env.references !== undefined;
    this.html = (tokens) => md.renderer.render(tokens, md.options, env);
  }

  /** The top-level blocks. `startOf` gives the offset in the whole text of an offset in this one. */
  blocks(startOf: (offset: number) => number): readonly PlacedBlock[] {
    const blocks: PlacedBlock[] = [];
    for (let from = 0; from < this.tokens.length; ) {
      const until = this.#nextBlock(from);
      const [line, end] = this.tokens[from]?.map ?? [0, 0];
      const isLast = until === this.tokens.length;
      blocks.push({ start: startOf(this.lines.offset(line)), tokens: this.tokens.slice(from, until), line, end, isLast });
      from = until;
    }
    return blocks;
  }

  /** What is shown of a block. */
  rendered(placed: PlacedBlock): Block {
    const { tokens, start, line, isLast } = placed;
    const [token] = tokens;
    if (token?.type === 'fence' || token?.type === 'code_block') {
      const language = token.type === 'fence' ? languageOf(token.info) : '';
      const complete = !isLast || isClosedFence(token, this.lines.from(line));
      return { kind: 'code', start, language, text: token.content, complete };
    }
    return groupOf(placed, this.html) ?? { kind: 'html', start, html: this.html([...tokens]) };
  }

  /** The index behind the tokens of the block that begins at one. */
  #nextBlock(from: number): number {
    let next = from + 1;
    while (next < this.tokens.length && (this.tokens[next]?.level !== 0 || this.tokens[next]?.nesting === -1)) {
      next += 1;
    }
    return next;
  }
}

/** Whether `text`, which begins with the fence, contains its closing line. */
function isClosedFence(token: Token, text: string): boolean {
  const lineEnd = text.indexOf('\n');
  const fence = token.type === 'fence' && lineEnd !== -1 ? openFence(text.slice(0, lineEnd), 0) : null;
  return fence !== null && readFence(fence, text.slice(lineEnd + 1)).after !== null;
}
