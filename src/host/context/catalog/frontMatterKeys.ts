import type { FrontMatter } from './frontMatter.js';

interface Key {
  /** In words, behind "Write". */
  readonly wanted: string;
  readonly takes: (value: unknown) => boolean;
}

const TEXT: Key = { wanted: 'a text', takes: (value) => typeof value === 'string' };

const INCLUDES: readonly unknown[] = ['always', 'manual', 'agent'];

/** The keys of Loupe's own rules and references. Those of other editors are theirs to check. */
const KEYS = new Map<string, Key>([
  ['name', TEXT],
  ['description', TEXT],
  ['include', { wanted: 'always, manual or agent', takes: (value) => INCLUDES.includes(value) }],
  ['enabled', { wanted: 'true or false', takes: (value) => typeof value === 'boolean' }],
  ['priority', { wanted: 'a number', takes: (value) => typeof value === 'number' }],
  ['globs', { wanted: 'patterns', takes: (value) => [value].flat().every((each) => typeof each === 'string') }],
]);

/** Keys that are none, and values that are passed over, a sentence each. A key without a value is one that is not filled in. */
export function keyRemarks(values: FrontMatter['values'], source: string): readonly string[] {
  return [...values].flatMap(([name, value]) => {
    const key = KEYS.get(name);
    if (key === undefined) {
      return [`${source} has ${name}, which Loupe does not know. It knows ${[...KEYS.keys()].join(', ')}.`];
    }
    return value === null || key.takes(value) ? [] : [`${source} has ${name}: ${JSON.stringify(value)}. Write ${key.wanted}.`];
  });
}
