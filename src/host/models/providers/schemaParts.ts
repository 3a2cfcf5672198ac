import * as z from 'zod/mini';

/** The sentence for a member that is missing, or is not what was `expected`. */
export function invalid(expected: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) => (input === undefined ? 'is missing.' : `is invalid; expected ${expected}.`);
}

const COUNT = invalid('a whole number, 0 or more');
const AT_LEAST_ONE = invalid('a whole number above 0');

export const count = z.int({ error: COUNT }).check(z.nonnegative({ error: COUNT }));
export const atLeastOne = z.int({ error: AT_LEAST_ONE }).check(z.positive({ error: AT_LEAST_ONE }));
