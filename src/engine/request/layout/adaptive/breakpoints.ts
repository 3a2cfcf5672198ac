import { MEASURED_WEIGHT } from '../../../cache/pauses.js';
import type { Wish } from '../../placeBreakpoints.js';
import type { CachePrices } from './cachePrices.js';

/** The share of the measured pauses (`pauses.ts`) that last five minutes to an hour. */
const MEASURED_SHARE = 0.238;

const SHORT_MS = 300_000;
const LONG_MS = 3_600_000;

/** A breakpoint of the last request, on a block that is unchanged in the next request. */
export interface SentBreakpoint extends Wish {
  /** Whether the cache entry of this breakpoint probably still exists. */
  readonly isAlive: boolean;
}

/** The input for planning breakpoints. Blocks are counted from 0, with tools and system prompt. */
export interface BreakpointPlan {
  /** For each block, the tokens of the prompt up to its end. */
  readonly tokens: readonly number[];
  /** Index of the last block of the system prompt; -1 without a system prompt. */
  readonly systemEnd: number;
  /** Index of the last block before the newest user message; -1 if no block precedes the message. */
  readonly turnStart: number;
  readonly sent: readonly SentBreakpoint[];
  /** See `outlivedShare`. */
  readonly outlived: number;
  readonly prices: CachePrices;
}

/**
 * Returns the breakpoints of the adaptive layout, the most important first:
 * 1. The end of the request.
 * 2. The end of the last request: if a turn adds many blocks, the provider does not look back far enough to find it.
 * 3. The last long-lived entry, to extend its lifetime.
 * 4. The end of the previous turn, which a retry or an edit of the newest message reads.
 * 5. The end of the system prompt, which the next chat reads.
 */
export function adaptiveBreakpoints({ tokens, systemEnd, turnStart, sent, outlived, prices }: BreakpointPlan): readonly Wish[] {
  const upTo = (mark: Wish | undefined): number => (mark === undefined ? 0 : (tokens[mark.at] ?? 0));
  const total = tokens.at(-1) ?? 0;
  const alive = sent.filter(({ isAlive }) => isAlive);
  const lastLong = alive.findLast(({ isLong }) => isLong);
  // Compares the expected loss when the cache expires after this turn with the extra price of a one-hour entry.
  const lost = outlived * (prices.write - prices.read) * (total - upTo(lastLong));
  const isLong = lost > (prices.writeLong - prices.write) * (total - upTo(alive.at(-1)));
  const wished: readonly (Wish | undefined)[] = [
    { at: tokens.length - 1, isLong },
    sent.at(-1),
    sent.findLast((mark) => mark.isLong),
    { at: turnStart, isLong: false },
    { at: systemEnd, isLong: false },
  ];
  return wished.flatMap((wish) => (wish === undefined || wish.at < 0 ? [] : [{ at: wish.at, isLong: wish.isLong }]));
}

/**
 * Returns the chance that the next pause takes more than five minutes, but at most an hour. `pauses`: the milliseconds
 * between the last request of each turn and the first request of the next turn.
 */
export function outlivedShare(pauses: readonly number[]): number {
  const outlived = pauses.filter((ms) => ms > SHORT_MS && ms <= LONG_MS).length;
  return (outlived + MEASURED_SHARE * MEASURED_WEIGHT) / (pauses.length + MEASURED_WEIGHT);
}
