import type { Pauses } from '../situation.js';

/**
 * The share of pauses between five minutes and an hour: of a log-normal distribution with the median 86 s and sigma 2.1, which
 * 357,161 calls of 43 developers follow (TraceLab, arXiv 2606.30560).
 */
const MEASURED_SHARE = 0.238;

/** How many pauses of its own outweigh what was measured: a chat has a habit after a few of them. */
const MEASURED_WEIGHT = 4;

/** The share of requests that end a turn, before a chat has turns of its own: a few tool calls in each. */
const USUAL_ENDS = 0.25;

const SHORT_MS = 300_000;
const LONG_MS = 3_600_000;

/** The probability that a pause follows the next request which an entry of an hour outlives and one of five minutes does not. */
export function outlivedShare({ betweenTurns, requests }: Pauses): number {
  const outlived = betweenTurns.filter((ms) => ms > SHORT_MS && ms <= LONG_MS).length;
  const share = (outlived + MEASURED_SHARE * MEASURED_WEIGHT) / (betweenTurns.length + MEASURED_WEIGHT);
  const ends = (betweenTurns.length + USUAL_ENDS * MEASURED_WEIGHT) / (requests + MEASURED_WEIGHT);
  return share * Math.min(1, ends);
}
