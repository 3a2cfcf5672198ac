// Time limits that fit the machine: the runner measures it at its start and sets the factor for all processes of the tests.

/** The variable with the factor, which is at least 1. A test that is run without the runner has the limits of a quiet machine. */
export const SCALE_VARIABLE = 'LOUPE_TIME_SCALE';

/**
 * Returns a limit for this machine.
 *
 * @param {number} ms - on a quiet machine
 */
export function timeLimit(ms) {
  const scale = process.env[SCALE_VARIABLE];
  return scale === undefined ? ms : ms * Number(scale);
}
