const MINIMUM_TOKENS = 1024;

/** https://platform.claude.com/docs/en/build-with-claude/prompt-caching#cache-limitations */
const MINIMUMS: readonly (readonly [RegExp, number])[] = [
  [/^claude-(opus|fable|mythos)-5\b/, 512],
  [/^claude-(opus-4-7|mythos-preview|3-5-haiku|3-haiku)\b/, 2048],
  [/^claude-(haiku-4-5|opus-4-5|opus-4-6)\b/, 4096],
];

/** Returns the tokens of the smallest prefix that a model caches. */
export function documentedMinimum(id: string): number {
  return MINIMUMS.find(([name]) => name.test(id))?.[1] ?? MINIMUM_TOKENS;
}
