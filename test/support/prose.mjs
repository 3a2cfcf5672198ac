// The English of comments and documents, as rules of ESLint: avoided words, and the length of a line.

/** Expressions to avoid, each with what to do. They hide who does what, or are not the word of the field. */
const AVOIDED = Object.entries({
  told: 'Say who reports what.',
  'tells of': 'Write "reports" or "names".',
  nobody: 'Say what happens, not who is missing.',
  'no one': 'Say what happens, not who is missing.',
  whoever: 'Name the person or the part.',
  'that which': 'Name it.',
  'of which': 'Begin a new sentence.',
  beside: 'Write "next to", "with" or "in addition to".',
  thereby: 'Begin a new sentence.',
  'there is none': 'Write "without one", or name the case.',
  anew: 'Write "again" or "from the beginning".',
  gone: 'Write "removed", "deleted" or "expired".',
  'goes along': 'Write "is sent with".',
  'by itself': 'Write "automatically" or "alone".',
  'by themselves': 'Write "automatically" or "alone".',
  'is due': 'Say when it happens.',
  'would-be': 'Say what it is.',
  'as it were': 'Delete it.',
  'stands(?! for)': 'Write "is".',
}).map(([words, advice]) => ({ pattern: words.replaceAll(' ', '\\s+'), advice }));

/** @param {string} pattern */
function wholeWords(pattern) {
  return new RegExp(`\\b(?:${pattern})\\b`, 'giu');
}

/** All expressions at once. Most texts have none. */
const ANY_AVOIDED = wholeWords(AVOIDED.map(({ pattern }) => pattern).join('|'));

const MOST_CHARACTERS = 120;
const TOO_LONG = `This line has more than ${String(MOST_CHARACTERS)} characters. Wrap it.`;

/** @param {string} text */
function blank(text) {
  return text.replaceAll(/\S/gu, ' ');
}

/**
 * Returns the avoided expressions of a text. Code in backticks is not read.
 *
 * @param {string} text
 * @returns {{ index: number, message: string }[]}
 */
function avoidedIn(text) {
  const prose = text.replaceAll(/`[^`]*`/gu, blank);
  if (prose.search(ANY_AVOIDED) === -1) return [];
  return AVOIDED.flatMap(({ pattern, advice }) =>
    [...prose.matchAll(wholeWords(pattern))].map(({ 0: words, index }) => ({
      index,
      message: `Avoid "${words.replaceAll(/\s+/gu, ' ')}". ${advice}`,
    })),
  );
}

/**
 * Returns the long lines of a node, by number and text.
 *
 * @param {readonly string[]} lines
 * @param {{ start: { line: number }, end: { line: number } } | null | undefined} location
 * @returns {{ line: number, text: string }[]}
 */
function longLines(lines, location) {
  const { start, end } = location ?? { start: { line: 1 }, end: { line: 0 } };
  return lines
    .slice(start.line - 1, end.line)
    .map((text, index) => ({ line: start.line + index, text }))
    .filter(({ text }) => text.length > MOST_CHARACTERS);
}

/**
 * Returns the comments with blanks for their signs. Comments on successive lines are one text, as they are one to read.
 *
 * @param {import('eslint').SourceCode} sourceCode
 * @returns {{ from: number, text: string }[]}
 */
function commentTexts(sourceCode) {
  /** @type {{ from: number, to: number }[]} */
  const texts = [];
  for (const { range: [from, to] = [0, 0] } of sourceCode.getAllComments()) {
    const last = texts.at(-1);
    if (last !== undefined && sourceCode.text.slice(last.to, from).trim() === '') last.to = to;
    else texts.push({ from, to });
  }
  return texts.map(({ from, to }) => ({ from, text: sourceCode.text.slice(from, to).replaceAll(/^\s*(?:\/\/|\/?\*+)/gmu, blank) }));
}

/**
 * Whether a line can be wrapped. Links and directives cannot, and the length of code is the formatter's.
 *
 * @param {string} line
 */
function isWrappable(line) {
  return /^\s*(?:\/\/|\/?\*)/u.test(line) && !/:\/\/|\beslint\b|biome-ignore|oxlint/u.test(line);
}

/** @type {import('eslint').Rule.RuleModule} */
const comments = {
  meta: { type: 'suggestion', schema: [] },
  create({ sourceCode, report }) {
    return {
      Program() {
        for (const { from, text } of commentTexts(sourceCode)) {
          for (const { index, message } of avoidedIn(text)) report({ loc: sourceCode.getLocFromIndex(from + index), message });
        }
        const long = sourceCode.getAllComments().flatMap(({ loc }) => longLines(sourceCode.lines, loc));
        for (const { line } of long.filter(({ text }) => isWrappable(text)))
          report({ loc: { line, column: MOST_CHARACTERS }, message: TOO_LONG });
      },
    };
  },
};

/**
 * The same for Markdown. Tables, code and links cannot be wrapped.
 *
 * @type {import('@eslint/markdown').MarkdownRuleDefinition}
 */
const documents = {
  meta: { type: 'suggestion', schema: [] },
  create({ sourceCode, report }) {
    return {
      text(node) {
        const start = node.position?.start.offset ?? 0;
        for (const { index, message } of avoidedIn(sourceCode.getText(node))) {
          report({ loc: sourceCode.getLocFromIndex(start + index), message });
        }
      },
      paragraph({ position }) {
        const long = longLines(sourceCode.lines, position).filter(({ text }) => !text.includes(']('));
        for (const { line } of long) report({ loc: { line, column: MOST_CHARACTERS }, message: TOO_LONG });
      },
    };
  },
};

export default { rules: { comments, documents } };
