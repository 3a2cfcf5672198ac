/** The ASCII characters of each Unicode property that the encodings' regular expressions name. They never change. */
const ASCII_MEMBERS: Readonly<Record<string, string>> = {
  L: 'A-Za-z',
  Lu: 'A-Z',
  Ll: 'a-z',
  Lt: '',
  Lm: '',
  Lo: '',
  M: '',
  N: '0-9',
};

/**
 * The same regular expression for texts of ASCII alone, without the `u` flag: to compile the sets of Unicode
 * properties takes V8 as long as reading a rank table, and many texts need none. Throws for a property it does not
 * know.
 */
export function asciiPattern(pattern: string): string {
  let isInClass = false;
  return pattern.replaceAll(/\\p\{(\w+)\}|\\.|[[\]]/giu, (found: string, property: string | undefined) => {
    if (found === '[' || found === ']') {
      isInClass = found === '[';
    }
    if (property === undefined) {
      return found;
    }
    const members = found.startsWith('\\p') ? ASCII_MEMBERS[property] : undefined;
    if (members === undefined) {
      throw new Error(`What ${found} means for ASCII is not known.`);
    }
    return isInClass ? members : `[${members}]`;
  });
}
