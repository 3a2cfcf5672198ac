import type { GroupBlock, PlacedBlock } from './block.js';
import type { ToHtml } from './group.js';
import type { SourceLines } from './sourceLines.js';

/**
 * A top-level list or table that is still open, with its settled items: no further text can change these, and they are
 * not parsed again. A short prefix stands for them in front of the rest, and puts the parser into the state in which
 * they left it.
 */
export interface OpenBlock {
  /** The block from its settled items and what was parsed after the prefix. Only the latter is rendered. */
  whole(parsed: PlacedBlock, html: ToHtml): GroupBlock;
  /** The same after more of it was settled. `whole` is what is shown of it, `lines` are those of the text that was parsed. */
  settle(parsed: PlacedBlock, whole: GroupBlock, lines: SourceLines): Taken;
  /** Whether `parsed` contradicts the settled items. */
  isContradicted(parsed: PlacedBlock): boolean;
  /** The block with nothing settled, after it was contradicted. `from` is an offset in the whole text. */
  again(): Taken;
  /** Whether one parse of the whole might see it in another way for its length. */
  readonly isTooLong: boolean;
}

/** An open block, and the text to parse from now on: the prefix, and the parsed text from an offset on. */
export interface Taken {
  readonly open: OpenBlock;
  readonly prefix: string;
  readonly from: number;
}
