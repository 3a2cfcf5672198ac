import { createContext, Script } from 'node:vm';

/* Tests the texts of files with the regular expressions of a rule. */

/**
 * Maximum time for a text, in ms. Usual expressions take far less, even on a very busy computer. Others would take
 * years for a long text, and block everything else.
 */
const LONGEST_TEST_MS = 500;

const TEST = new Script('pattern.test(text)');
const VARIABLES: { pattern: RegExp; text: string } = { pattern: /^/, text: '' };
const CONTEXT = createContext(VARIABLES);

export interface TextPatterns {
  /** Tests whether one of the expressions matches a text. Null without a valid expression. */
  readonly matches: ((text: string) => boolean) | null;
  readonly invalid: readonly string[];
}

export function textPatterns(expressions: readonly string[]): TextPatterns {
  const read = expressions.map((expression) => ({ expression, pattern: patternOf(expression) }));
  const tests = read.flatMap(({ pattern }) => (pattern === null ? [] : [timedTest(pattern)]));
  return {
    matches: tests.length === 0 ? null : (text) => tests.some((test) => test(text)),
    invalid: read.filter(({ pattern }) => pattern === null).map(({ expression }) => expression),
  };
}

function patternOf(expression: string): RegExp | null {
  try {
    return new RegExp(expression);
  } catch {
    return null;
  }
}

/** Returns a test with a time limit. After an expression took too long, it matches each text, so no rule is lost. */
function timedTest(pattern: RegExp): (text: string) => boolean {
  let isTooSlow = false;
  return (text) => {
    if (!isTooSlow) {
      try {
        Object.assign(VARIABLES, { pattern, text });
        return TEST.runInContext(CONTEXT, { timeout: LONGEST_TEST_MS }) === true;
      } catch {
        isTooSlow = true;
      }
    }
    return true;
  };
}
