import { parse, type ParseError } from 'jsonc-parser';
import { SyntaxMistake } from './mcpConfig.js';

/** Maximum number of characters in a configuration file. Usual files have a few thousand. */
const LONGEST_FILE = 1024 * 1024;

/** Parses JSON with comments and trailing commas. Undefined for an empty file, a `SyntaxMistake` for an invalid one. */
export function parseMcpFile(text: string): unknown {
  if (text.trim() === '') {
    return undefined;
  }
  const errors: ParseError[] = [];
  try {
    const value: unknown = text.length > LONGEST_FILE ? undefined : parse(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    return first === undefined && value !== undefined ? value : new SyntaxMistake(lineAt(text, first?.offset ?? 0));
  } catch (thrown) {
    // Deep nesting can overflow the stack, because the parser is recursive.
    if (thrown instanceof RangeError) {
      return new SyntaxMistake(1);
    }
    throw thrown;
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
