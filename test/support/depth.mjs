// How much a test does. npm run test:deep runs the same tests as npm test, with long parameters.

/** The runner sets it to 1 for a deep run. */
export const DEEP_VARIABLE = 'LOUPE_DEEP';

export const isDeep = process.env[DEEP_VARIABLE] === '1';

/**
 * Returns the number of runs, messages or bytes that this run takes.
 *
 * @template T
 * @param {{ short: T, deep: T }} options
 */
export function depth({ short, deep }) {
  return isDeep ? deep : short;
}
