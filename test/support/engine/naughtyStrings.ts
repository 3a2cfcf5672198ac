import { createRequire } from 'node:module';

/** The Big List of Naughty Strings: texts that have broken other programs. */
export const NAUGHTY_STRINGS = createRequire(import.meta.url)('big-list-of-naughty-strings') as readonly string[];
