/* Finds rules that repeat nearly all lines of another rule in the same request. */

export interface ComparedRule {
  readonly key: string;
  readonly text: string;
}

export interface RepeatedRule {
  readonly key: string;
  /** The key of the larger rule. */
  readonly of: string;
  /** Share of the rule's characters that are in lines of the larger rule. */
  readonly share: number;
}

/** Minimum share of a rule that a larger rule must also have. The rest is usually a title or a few changed lines. */
const MINIMUM_SHARE = 0.8;

/** Minimum number of equal characters, about 100 tokens of English. */
const MINIMUM_LENGTH = 400;

/** Minimum length of a line to compare. Shorter lines, such as `## Tests` or `npm test`, are often equal by chance. */
const MINIMUM_LINE = 20;

interface Lines {
  readonly key: string;
  readonly lines: ReadonlySet<string>;
  readonly length: number;
}

/** Compares each rule with the larger ones that repeat no other rule. Of equal rules, the later one repeats. */
export function repeatedRules(rules: readonly ComparedRule[]): readonly RepeatedRule[] {
  const all = rules.map(({ key, text }) => linesOf(key, text)).sort((a, b) => b.length - a.length);
  const withLine = new Map<string, Lines[]>();
  const repeated: RepeatedRule[] = [];
  for (const rule of all) {
    const found = mostCommon(rule, withLine);
    if (found !== null && found.common >= MINIMUM_LENGTH && found.common >= rule.length * MINIMUM_SHARE) {
      repeated.push({ key: rule.key, of: found.of, share: found.common / rule.length });
      continue;
    }
    for (const line of rule.lines) {
      withLine.set(line, [...(withLine.get(line) ?? []), rule]);
    }
  }
  return repeated;
}

/** Returns the rule that has most of the lines, by their characters, or null. */
function mostCommon(
  { lines }: Lines,
  withLine: ReadonlyMap<string, readonly Lines[]>,
): { readonly of: string; readonly common: number } | null {
  const common = new Map<string, number>();
  for (const line of lines) {
    for (const { key } of withLine.get(line) ?? []) {
      common.set(key, (common.get(key) ?? 0) + line.length);
    }
  }
  const [most] = [...common].sort(([, a], [, b]) => b - a);
  return most === undefined ? null : { of: most[0], common: most[1] };
}

/** Matches the signs of a heading, quote or list at the start of a line. */
const SIGNS = /^(?:(?:#{1,6}|[-*+>]|\d+[.)])[ \t]+)+/;

const MARKS = /[*_`\s]+/g;

/** Returns the lines without signs of Markdown, in lower case and with single blanks. */
function linesOf(key: string, text: string): Lines {
  const lines = new Set<string>();
  for (const line of text.toLowerCase().split('\n')) {
    const words = line.length < MINIMUM_LINE ? '' : line.trim().replace(SIGNS, '').replaceAll(MARKS, ' ').trim();
    if (words.length >= MINIMUM_LINE) {
      lines.add(words);
    }
  }
  return { key, lines, length: [...lines].reduce((sum, line) => sum + line.length, 0) };
}
