import { createContext, Script } from 'node:vm';

/* Tests the texts of files with the regular expressions of a rule. */

/**
 * Limits the time of tests. Usual expressions take far less than the limits, even on a very busy computer. Others would
 * take years for a long text, and block everything else.
 */
export class TestTime {
  #left = 1_000;

  /** The limit of the next test, in ms: 500 until slow tests have used the total, then 50. */
  get limit(): number {
    return Math.max(50, Math.min(500, this.#left));
  }

  /** Call this after a test that reached the limit. */
  reached(): void {
    this.#left -= this.limit;
  }
}

const TIME = new TestTime();

const TEST = new Script('pattern.test(text)');
const VARIABLES: { pattern: RegExp; text: string } = { pattern: /^/, text: '' };
const CONTEXT = createContext(VARIABLES);

export interface TextPatterns {
  /** Tests whether one of the expressions matches a text. Null without a valid expression. */
  readonly matches: ((text: string) => boolean) | null;
  /** Whether an expression took too long for a text. The expressions then match no text. */
  readonly areSlow: () => boolean;
  readonly invalid: readonly string[];
}

export function textPatterns(expressions: readonly string[]): TextPatterns {
  const read = expressions.map((expression) => ({ expression, pattern: patternOf(expression) }));
  const patterns = read.flatMap(({ pattern }) => pattern ?? []);
  let isSlow = false;
  const matches = (text: string): boolean => {
    for (const pattern of isSlow ? [] : patterns) {
      const found = timedTest(pattern, text);
      if (found !== false) {
        isSlow = found === null;
        return found === true;
      }
    }
    return false;
  };
  return {
    matches: patterns.length === 0 ? null : matches,
    areSlow: () => isSlow,
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

/** Tests a text with a time limit. Returns null if the test took too long. */
function timedTest(pattern: RegExp, text: string): boolean | null {
  Object.assign(VARIABLES, { pattern, text });
  try {
    return TEST.runInContext(CONTEXT, { timeout: TIME.limit }) === true;
  } catch {
    // An expression cannot fail in another way.
    TIME.reached();
    return null;
  }
}
