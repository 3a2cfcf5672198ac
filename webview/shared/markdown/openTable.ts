import type { Block, GroupBlock, PlacedBlock } from './block.js';
import { htmlOf, itemsOf, type ToHtml } from './group.js';
import type { OpenBlock, Taken } from './openBlock.js';
import type { SourceLines } from './sourceLines.js';

/** markdown-it ends a table after so many cells that its rows left out. Parsed row by row, it never counts so far. */
const MOST_CELLS = 65_536;

/** An open table. A row is settled with its line. The prefix is the first two lines. */
export class OpenTable implements OpenBlock {
  readonly #settled: GroupBlock;
  readonly #prefix: string;
  readonly #columns: number;

  constructor(settled: GroupBlock, prefix: string, columns: number) {
    this.#settled = settled;
    this.#prefix = prefix;
    this.#columns = columns;
  }

  /** The table, with nothing settled yet; null when `parsed` is none, or its first row may still become something else. */
  static at({ tokens, line }: PlacedBlock, shown: Block, lines: SourceLines): Taken | null {
    if (tokens[0]?.type !== 'table_open' || shown.kind !== 'group' || !lines.isWhole(line + 2)) {
      return null;
    }
    const from = lines.offset(line);
    const prefix = lines.from(line).slice(0, lines.offset(line + 2) - from);
    const columns = tokens.filter(({ type }) => type === 'th_open').length;
    return { open: new OpenTable({ ...shown, items: [] }, prefix, columns), prefix: '', from };
  }

  get isTooLong(): boolean {
    return this.#settled.items.length * this.#columns > MOST_CELLS;
  }

  whole({ tokens }: PlacedBlock, html: ToHtml): GroupBlock {
    return { ...this.#settled, items: [...this.#settled.items, ...htmlOf(itemsOf(tokens), tokens, html)] };
  }

  settle({ tokens }: PlacedBlock, whole: GroupBlock, lines: SourceLines): Taken {
    const finished = itemsOf(tokens).filter(({ line }) => lines.isWhole(line));
    const last = finished.at(-1);
    if (last === undefined) {
      return { open: this, prefix: '', from: 0 };
    }
    const items = whole.items.slice(0, this.#settled.items.length + finished.length);
    return {
      open: new OpenTable({ ...this.#settled, items }, this.#prefix, this.#columns),
      prefix: this.#prefix,
      from: lines.offset(last.line + 1),
    };
  }

  /** Rows do not depend on each other. */
  isContradicted(): boolean {
    return false;
  }

  again(): Taken {
    return { open: new OpenTable({ ...this.#settled, items: [] }, this.#prefix, this.#columns), prefix: '', from: this.#settled.start };
  }
}
