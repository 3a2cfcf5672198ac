import type { Block, GroupBlock, PlacedBlock } from './block.js';
import { htmlOf, isList, type Item, itemsOf, type ToHtml } from './group.js';
import type { OpenBlock, Taken } from './openBlock.js';
import type { SourceLines } from './sourceLines.js';

/** An item, whatever follows: text after the mark, and no part of a rule such as `* * *`. */
const ITEM = /^ *(?:([-*+]) +(?!\1)\S|\d{1,9}[.)] +\S)/;

/** Of what stands in an item of a list at the top. */
const LEVEL_IN_ITEM = 2;

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

  /** The list, with its settled items; null when `parsed` is none, or may still become something else. */
  static at(parsed: PlacedBlock, shown: Block, lines: SourceLines): Taken | null {
    const [opening] = parsed.tokens;
    // The second line may still make a table of it.
    if (opening === undefined || !isList(opening) || shown.kind !== 'group' || !lines.isWhole(parsed.line + 1)) {
      return null;
    }
    const marker = opening.type === 'ordered_list_open' ? `1${opening.markup}` : opening.markup;
    const prefix = `${marker}    x\n`;
    const open = new OpenList({ ...shown, items: [] }, prefix, false);
    const taken = isTight(parsed) ? open.#settle(itemsOf(parsed.tokens), shown, lines) : null;
    return taken ?? { open, prefix, from: lines.offset(parsed.line) };
  }

  whole({ tokens }: PlacedBlock, html: ToHtml): GroupBlock {
    const items = htmlOf(itemsOf(tokens).slice(1), tokens, html);
    return { ...this.#settled, items: [...this.#settled.items, ...items] };
  }

  settle(parsed: PlacedBlock, whole: GroupBlock, lines: SourceLines): Taken {
    // The first one is the prefix.
    const taken = this.isContradicted(parsed) ? null : this.#settle(itemsOf(parsed.tokens).slice(1), whole, lines);
    return taken ?? { open: this, prefix: '', from: 0 };
  }

  /** The list with all settled but the last of the items that have begun, which may grow; null when that is the only one. */
  #settle(items: readonly Item[], whole: GroupBlock, lines: SourceLines): Taken | null {
    const begun = items.filter(({ line }) => lines.isWhole(line) || ITEM.test(lines.from(line)));
    const last = begun.at(-1);
    if (last === undefined || begun.length < 2) {
      return null;
    }
    const settled = whole.items.slice(0, this.#settled.items.length + begun.length - 1);
    return {
      open: new OpenList({ ...this.#settled, items: settled }, this.#prefix, this.#isLoose),
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

/** Whether the list is certainly tight so far. Without a paragraph of its own it does not tell. */
function isTight({ tokens }: PlacedBlock): boolean {
  return tokens.find(({ type, level }) => type === 'paragraph_open' && level === LEVEL_IN_ITEM)?.hidden === true;
}
