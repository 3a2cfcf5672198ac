/** The ASCII characters of each Unicode property in the encodings' regular expressions. Unicode never changes them. */
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
 * The regular expression for texts of ASCII only, without the `u` flag. V8 needs as long to compile the sets of Unicode
 * properties as to read a rank table, and many texts do not need them. Throws for an unknown property.
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
