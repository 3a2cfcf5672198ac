import type { WirePart } from '../../model/block.js';
import type { PlacedBreakpoint } from '../../model/prompt.js';
import type { ManifestBlock } from '../../record/manifest.js';
import { outlivedShare } from './adaptive/breakpoints.js';

/** A block of the last request. `part` is null for a part of a message, or if the content cannot be read. */
export interface SentBlock extends ManifestBlock {
  readonly part: WirePart | null;
}

/** The last reply request of the branch that the provider has read. Requests that failed later are ignored. */
export interface SentRequest {
  readonly blocks: readonly SentBlock[];
  readonly marks: readonly PlacedBreakpoint[];
  /** The number of the request among the reply requests of the branch, from 1. */
  readonly ordinal: number;
  /** Whether the next request goes to the same model. Each model has its own cache. */
  readonly isSameModel: boolean;
  /** How many blocks at the beginning of the request the provider's cache had when it had read the request. */
  readonly cached: number;
  /** How many of these blocks are probably still in the cache. */
  readonly alive: number;
}

export interface Situation {
  /** Null before the first request, or when its record is damaged. */
  readonly last: SentRequest | null;
  /** The chance that only a one-hour cache entry outlives the next pause between turns (`outlivedShare`). */
  readonly outlivedShare: number;
  /** Keys of unneeded items that may stay until a rebuild. Other unneeded items must be removed at once. */
  readonly staying: ReadonlySet<string>;
}

export const NOTHING_SENT: Situation = { last: null, outlivedShare: outlivedShare([]), staying: new Set() };
