/*
 * How long a user stays away from a chat, in milliseconds from the last request of a turn to the next turn.
 *
 * A chat has few pauses, so Loupe also uses measured pauses: a log-normal distribution with median 86 s and sigma 2.1,
 * which the pauses between 357,161 calls of 43 developers follow (TraceLab, arXiv 2606.30560).
 */

const MEDIAN_MS = 86_000;
const SIGMA = 2.1;

/** Weight of the measured pauses, as a number of pauses. More pauses than this in a chat weigh more. */
export const MEASURED_WEIGHT = 4;

/** Each chat ends once: the user does not come back after the last turn. */
export const ENDS = 1;

/**
 * Returns how many pauses are longer than `ms`, of the pauses of a chat, the measured pauses and the pause that never
 * ends. Only the ratio of two such numbers means something: the chance that a pause of one length reaches another.
 */
export function pausesLonger(pauses: readonly number[], ms: number): number {
  return pauses.filter((pause) => pause > ms).length + MEASURED_WEIGHT * measuredShareLonger(ms) + ENDS;
}

function measuredShareLonger(ms: number): number {
  return ms <= 0 ? 1 : 1 - normalShareBelow(Math.log(ms / MEDIAN_MS) / SIGMA);
}

/** The normal distribution function, within 1e-7: formula 26.2.17 of Abramowitz and Stegun, 1964. */
function normalShareBelow(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(z));
  const series = t * (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  const above = (series * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
  return z >= 0 ? 1 - above : above;
}
