// Time limits that fit the computer. The runner measures it at its start and sets the factor for all test processes.

/** The variable with the factor, at least 1. Without the runner, tests use the limits of a quiet computer. */
export const SCALE_VARIABLE = 'LOUPE_TIME_SCALE';

/**
 * Returns a limit for this computer.
 *
 * @param {number} ms - on a quiet machine
 */
export function timeLimit(ms) {
  const scale = process.env[SCALE_VARIABLE];
  return scale === undefined ? ms : ms * Number(scale);
}
