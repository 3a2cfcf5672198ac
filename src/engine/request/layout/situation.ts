import type { WirePart } from '../../model/block.js';
import type { ManifestBlock, Mark } from '../../record/manifest.js';

/** A block of the last request; its part is null when it is part of a message, or cannot be read any more. */
export interface SentBlock extends ManifestBlock {
  readonly part: WirePart | null;
}

/** The last reply request of the branch that the provider has read. One that failed before that is sent again as it was. */
export interface SentRequest {
  readonly blocks: readonly SentBlock[];
  readonly marks: readonly Mark[];
  /** Its number among the reply requests of the branch, from 1. */
  readonly ordinal: number;
  /** Whether it went to the model of the next request: caches are each model's own. */
  readonly isSameModel: boolean;
}

/** What has been sent in a chat, as far as a layout may follow from it. */
export interface Situation {
  /** Null before the first request, or when its record is damaged. */
  readonly last: SentRequest | null;
  /** Milliseconds since the latest reply request of the chat that the provider has read, on any branch. */
  readonly idleMs: number;
  /** Between the last request of each turn and the first of the next one, in ms. */
  readonly pauses: readonly number[];
  /** Items that are not in the request, but may stay in the prompt until a relayout. All others leave it at once. */
  readonly staying: ReadonlySet<string>;
}

/** The situation of a chat in which nothing was sent. */
export const NOTHING_SENT: Situation = { last: null, idleMs: 0, pauses: [], staying: new Set() };
