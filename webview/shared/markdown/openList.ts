import type { GroupBlock, PlacedBlock } from './block.js';
import { isList, itemsOf } from './group.js';
import type { OpenBlock, Taken } from './openBlock.js';
import type { SourceLines } from './sourceLines.js';

/** An item, whatever follows: text after the mark, and no part of a rule such as `* * *`. */
const ITEM = /^ *(?:([-*+]) +(?!\1)\S|\d{1,9}[.)] +\S)/;

/**
 * An open list. An item is settled as soon as the next one is certain. The prefix is one item with the list's
 * marker, whose content is indented so far that no item can be inside it.
 *
 * A blank line between two items or inside one makes a list loose: then all its items hold paragraphs. A list turns
 * loose at most once, and is taken up again for it. The item of the prefix shows which the list is.
 */
export class OpenList implements OpenBlock {
  readonly isTooLong = false;
  readonly #settled: GroupBlock;
  readonly #prefix: string;
  readonly #isLoose: boolean;

  constructor(settled: GroupBlock, prefix: string, isLoose: boolean) {
    this.#settled = settled;
    this.#prefix = prefix;
    this.#isLoose = isLoose;
  }

  /** The list, with nothing settled yet; null when `parsed` is none, or may still become something else. */
  static at(parsed: PlacedBlock, lines: SourceLines): Taken | null {
    const [opening] = parsed.tokens;
    // The second line may still make a table of it.
    if (opening === undefined || !isList(opening) || parsed.block.kind !== 'group' || !lines.isWhole(parsed.line + 1)) {
      return null;
    }
    const marker = opening.type === 'ordered_list_open' ? `1${opening.markup}` : opening.markup;
    const prefix = `${marker}    x\n`;
    return { open: new OpenList({ ...parsed.block, items: [] }, prefix, false), prefix, from: lines.offset(parsed.line) };
  }

  whole({ block }: PlacedBlock): GroupBlock {
    const items = block.kind === 'group' ? block.items.slice(1) : [];
    return { ...this.#settled, items: [...this.#settled.items, ...items] };
  }

  settle(parsed: PlacedBlock, lines: SourceLines): Taken {
    const begun = itemsOf(parsed.tokens).filter(({ line }) => lines.isWhole(line) || ITEM.test(lines.from(line)));
    const last = begun.at(-1);
    // The first one is the prefix, the last one may grow.
    if (last === undefined || begun.length < 3 || parsed.block.kind !== 'group' || this.isContradicted(parsed)) {
      return { open: this, prefix: '', from: 0 };
    }
    const items = [...this.#settled.items, ...parsed.block.items.slice(1, begun.length - 1)];
    return {
      open: new OpenList({ ...this.#settled, items }, this.#prefix, this.#isLoose),
      prefix: this.#prefix,
      from: lines.offset(last.line),
    };
  }

  isContradicted({ tokens }: PlacedBlock): boolean {
    return !this.#isLoose && tokens.find(({ type }) => type === 'paragraph_open')?.hidden === false;
  }

  again(): Taken {
    const prefix = `${this.#prefix}\n`;
    return { open: new OpenList({ ...this.#settled, items: [] }, prefix, true), prefix, from: this.#settled.start };
  }
}
