import type { Json } from '../../engine/json.js';

/** Most names that are looked for on the disk. A call names few files, and each may be one of 1 MB. */
const MOST_NAMES = 50;

/** Longer texts are contents of files, not names. */
const LONGEST_TEXT = 4_096;

/** What stands between the words of a command line. */
const BETWEEN_WORDS = /[\s"'`;|&<>()=,]+/;

/**
 * What may be the name of a file in the arguments of tools, each once: whole texts first, then words, as those of command lines. Which
 * of their arguments are paths, tools do not say.
 */
export function namedPaths(args: readonly Json[]): readonly string[] {
  const texts = args.flatMap(textsIn).filter((text) => text.length <= LONGEST_TEXT);
  const words = texts.flatMap((text) => text.split(BETWEEN_WORDS));
  const names = new Set([...texts, ...words].filter((name) => name !== '' && !name.includes('\n')));
  return [...names].slice(0, MOST_NAMES);
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}
