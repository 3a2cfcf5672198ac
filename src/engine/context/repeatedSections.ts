/* Rules of several programs often have the same sections. A request contains such a section once. */

export interface RuleText {
  readonly key: string;
  /** The name of the rule in requests. */
  readonly name: string;
  readonly text: string;
  /** Whether all requests of the chat contain the rule. Only such a rule can have the text of a section for others. */
  readonly isInAll: boolean;
}

export interface ShortenedRule {
  readonly text: string;
  /** Number of sections with a pointer in place of their text. */
  readonly pointers: number;
}

/** Minimum length of a section in characters, about 50 tokens of English. A pointer would not be much shorter. */
const MINIMUM = 200;

interface Section {
  /** The first line, with the heading, and the line after the last, from 0. */
  readonly from: number;
  readonly to: number;
  readonly title: string;
  /** The lines without blanks at their ends. */
  readonly text: string;
}

/**
 * Replaces the text of each section that an earlier rule also has by a pointer to that rule. Returns only the changed
 * rules, by key. The result depends only on the rules in all requests, so that other rules never change a cached one.
 */
export function withoutRepeatedSections(rules: readonly RuleText[]): ReadonlyMap<string, ShortenedRule> {
  const known = new Map<string, string>();
  const shortened = new Map<string, ShortenedRule>();
  for (const rule of [...rules.filter(({ isInAll }) => isInAll), ...rules.filter(({ isInAll }) => !isInAll)]) {
    const lines = rule.text.split('\n');
    const sections = sectionsOf(lines);
    const repeated = outermost(sections.filter(({ text }) => known.has(text)));
    if (repeated.length > 0) {
      shortened.set(rule.key, { text: withPointers(lines, repeated, known), pointers: repeated.length });
    }
    for (const { text } of rule.isInAll ? sections : []) {
      known.set(text, known.get(text) ?? rule.name);
    }
  }
  return shortened;
}

/** Returns the sections that are not inside another one. `sections` are in the order of the text. */
function outermost(sections: readonly Section[]): readonly Section[] {
  let end = 0;
  return sections.filter(({ from, to }) => {
    const isInside = from < end;
    end = Math.max(end, to);
    return !isInside;
  });
}

/** Keeps the headings, so that the model sees the structure of the rule. */
function withPointers(lines: readonly string[], sections: readonly Section[], known: ReadonlyMap<string, string>): string {
  let from = 0;
  const parts = sections.flatMap((section) => {
    const before = lines.slice(from, section.from + 1);
    from = section.to;
    return [...before, '', `(Same as the section "${section.title}" of ${known.get(section.text) ?? ''}.)`];
  });
  return [...parts, ...lines.slice(from)].join('\n');
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.+)$/;
const CLOSING_SIGNS = /(?<![ \t])[ \t]+#+$/;
/** Matches the start of a code fence, also in a list or quote. The group is the fence. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/;

/** Returns the sections of a Markdown text that are long enough, in order. A section contains the sections below it. */
function sectionsOf(written: readonly string[]): readonly Section[] {
  const lines = written.map((line) => line.trimEnd());
  const headings = headingsOf(lines);
  return headings.flatMap(({ line, level, title }, at) => {
    let next = at + 1;
    while ((headings[next]?.level ?? 0) > level) {
      next += 1;
    }
    let to = headings[next]?.line ?? lines.length;
    while (lines[to - 1] === '') {
      to -= 1;
    }
    const text = lines.slice(line, to).join('\n');
    return text.length < MINIMUM ? [] : [{ from: line, to, title, text }];
  });
}

interface Heading {
  readonly line: number;
  readonly level: number;
  readonly title: string;
}

/** Returns the headings outside of code fences, for lines without blanks at their ends. A fence may be unclosed. */
function headingsOf(lines: readonly string[]): readonly Heading[] {
  const headings: Heading[] = [];
  let fence: string | null = null;
  for (const [line, text] of lines.entries()) {
    if (fence !== null) {
      fence = isEndOf(fence, text) ? null : fence;
      continue;
    }
    fence = FENCE.exec(text)?.[1] ?? null;
    const [, signs, title] = HEADING.exec(text) ?? [];
    if (signs !== undefined && title !== undefined) {
      headings.push({ line, level: signs.length, title: title.replace(CLOSING_SIGNS, '') });
    }
  }
  return headings;
}

/** Whether a line ends a code fence: at least as many of the same signs, and nothing else. */
function isEndOf(fence: string, line: string): boolean {
  const text = line.replace(/^[ \t>]*/, '').trimEnd();
  return text.length >= fence.length && text === fence.charAt(0).repeat(text.length);
}
